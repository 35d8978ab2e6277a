import type { Column } from '#app/datasets/catalog/column.ts'
import { countOf } from '#app/ui/amount.ts'
import type { Finding, Gate } from '#app/datasets/catalog/version.ts'
import { numberText, percentText } from '#app/platform/text/english-number.ts'

type Found = {
  rows: number
  refusedRows: number
  columns: readonly Column[]
  duplicates: Record<string, number>
}

/** Without a rule of its own, a product is not published when more than one row in twenty was rejected. */
const MOST_REFUSED = 0.05

/** Each quality check in words, and its result. */
export function checkQuality(gate: Gate, found: Found): Finding[] {
  const all = found.rows + found.refusedRows
  const refused = all === 0 ? 0 : found.refusedRows / all
  const least = Math.max(1, gate.leastRows ?? 1)
  const mostRefused = gate.mostRefused ?? MOST_REFUSED
  return [
    { rule: `At least ${numberText(least)} ${least === 1 ? 'row' : 'rows'}`, found: numberText(found.rows), ok: found.rows >= least },
    { rule: `At most ${percent(mostRefused)} of the rows rejected`, found: percent(refused), ok: refused <= mostRefused },
    ...Object.entries(gate.leastFill ?? {}).map(([name, share]) => judgeFill(name, share, found.columns)),
    ...(gate.unique ?? []).map((rule) => judgeUnique(rule, found.duplicates[rule])),
  ]
}

type Compared = { number: number; rows: number; columns: readonly Pick<Column, 'name' | 'type'>[] }

/**
 * Compares a version with the one that customers have. Without a rule for the loss of rows, half of them must be left. Lost columns and
 * changed types break the programs of customers, so they hold a version of any product.
 */
export function checkDrift({ mostLoss }: Gate, version: Pick<Compared, 'rows' | 'columns'>, current: Compared | undefined): Finding[] {
  if (!current) return []
  const now = new Map(version.columns.map(({ name, type }) => [name, type]))
  const lost = current.columns.filter(({ name }) => !now.has(name))
  const retyped = current.columns.filter(({ name, type }) => now.has(name) && now.get(name) !== type)
  const words = `version ${current.number}`
  const changes = [
    lost.length > 0 && { rule: `Every column of ${words} is still there`, found: `Missing: ${lost.map(({ name }) => name).join(', ')}` },
    retyped.length > 0 && {
      rule: `Every column has the type that it had in ${words}`,
      found: retyped.map(({ name, type }) => `${name} was ${type} and is now ${now.get(name)}`).join('; '),
    },
  ]
  return [
    ...(mostLoss === undefined ? halved(version.rows, current) : [judgeLoss(mostLoss, version.rows, current.rows)]),
    ...changes.filter((change) => change !== false).map((change) => ({ ...change, ok: false })),
  ]
}

function halved(rows: number, { number, rows: before }: Compared): Finding[] {
  if (before === 0 || rows > before / 2) return []
  const found = `${countOf(rows, 'row', 'rows')}; version ${number} has ${numberText(before)}`
  return [{ rule: `More than half as many rows as version ${number}`, found, ok: false }]
}

function judgeFill(name: string, share: number, columns: readonly Column[]): Finding {
  const column = columns.find((each) => each.name === name)
  const rule = `${name} has a value in at least ${percent(share)} of the rows`
  return {
    rule,
    found: column ? percent(column.fillRate) : 'No such column',
    ok: column !== undefined && column.fillRate >= share,
  }
}

function judgeUnique(rule: string, duplicates: number | undefined): Finding {
  const sentence = `No two rows have the same ${rule.split(',').join(', ')}`
  if (duplicates === undefined) return { rule: sentence, found: 'Not checked. Import the file again.', ok: false }
  if (duplicates < 0) return { rule: sentence, found: 'No such column', ok: false }
  return { rule: sentence, found: `${numberText(duplicates)} duplicate ${duplicates === 1 ? 'row' : 'rows'}`, ok: duplicates === 0 }
}

function judgeLoss(most: number, rows: number, before: number): Finding {
  const lost = before === 0 ? 0 : Math.max(0, (before - rows) / before)
  return { rule: `At most ${percent(most)} fewer rows than before`, found: `${percent(lost)} fewer`, ok: lost <= most }
}

/** With at most two decimals. */
function percent(share: number): string {
  return percentText(Math.round(share * 10_000))
}
