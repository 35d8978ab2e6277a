import type { Gate } from '#app/datasets/catalog/version.ts'

/** The quality checks as typed, with shares in percent. An empty field is no check. */
export type GateFields = {
  leastRows: string
  mostRefused: string
  mostLoss: string
  /** By column. */
  leastFill: Record<string, string>
  /** Columns with unique values. */
  unique: string[]
  /** Columns that are unique together: one comma-separated combination per line. */
  together: string
}

export const noGate: GateFields = { leastRows: '', mostRefused: '', mostLoss: '', leastFill: {}, unique: [], together: '' }

export function gateFieldsOf({ leastRows, mostRefused, mostLoss, leastFill = {}, unique = [] }: Gate): GateFields {
  return {
    leastRows: leastRows === undefined ? '' : String(leastRows),
    mostRefused: percentOf(mostRefused),
    mostLoss: percentOf(mostLoss),
    leastFill: Object.fromEntries(Object.entries(leastFill).map(([column, share]) => [column, percentOf(share)])),
    unique: unique.filter((names) => !names.includes(',')),
    together: unique.filter((names) => names.includes(',')).join('\n'),
  }
}

/** Returns the checks, and an error for each field that cannot be read. */
export function readGate(fields: GateFields): { gate: Gate; errors: Record<string, string> } {
  const errors: Record<string, string> = {}
  const share = (name: string, typed: string) => {
    const read = shareOf(typed)
    if (read === null) errors[`gate.${name}`] = 'Enter a share from 0 to 100 percent, or leave it empty'
    return read ?? undefined
  }
  const leastRows = fields.leastRows.trim().replaceAll(/[,\s]/g, '')
  if (!/^\d{0,12}$/.test(leastRows)) errors['gate.leastRows'] = 'Enter a whole number of rows, or leave it empty'
  const gate: Gate = {
    leastRows: leastRows === '' ? undefined : Number(leastRows),
    mostRefused: share('mostRefused', fields.mostRefused),
    mostLoss: share('mostLoss', fields.mostLoss),
    leastFill: sharesOf(fields.leastFill, (column, typed) => share(`leastFill.${column}`, typed)),
    unique: [...fields.unique, ...linesOf(fields.together)],
  }
  return { gate: withoutNothing(gate), errors }
}

function withoutNothing({ leastFill = {}, unique = [], ...rest }: Gate): Gate {
  const gate: Gate = {}
  if (rest.leastRows !== undefined) gate.leastRows = rest.leastRows
  if (rest.mostRefused !== undefined) gate.mostRefused = rest.mostRefused
  if (rest.mostLoss !== undefined) gate.mostLoss = rest.mostLoss
  if (Object.keys(leastFill).length > 0) gate.leastFill = leastFill
  if (unique.length > 0) gate.unique = unique
  return gate
}

function sharesOf(typed: Record<string, string>, read: (column: string, typed: string) => number | undefined): Record<string, number> {
  const found = Object.entries(typed).map(([column, text]) => [column, read(column, text)] as const)
  return Object.fromEntries(found.flatMap(([column, share]) => (share === undefined ? [] : [[column, share]])))
}

function linesOf(text: string): string[] {
  const names = (line: string) => line.split(',').map((name) => name.trim())
  return text
    .split('\n')
    .map((line) => names(line).filter(Boolean).join(','))
    .filter(Boolean)
}

/** Rounded to a hundredth of a percent, so a typed value comes back unchanged. */
function percentOf(share: number | undefined): string {
  return share === undefined ? '' : String(Math.round(share * 10_000) / 100)
}

/** Undefined for an empty field, null for an invalid share. */
function shareOf(typed: string): number | undefined | null {
  const text = typed.trim().replace(/\s*%$/, '')
  if (text === '') return undefined
  return /^(\d{1,2}(\.\d{1,2})?|100(\.0{1,2})?)$/.test(text) ? Math.round(Number(text) * 100) / 10_000 : null
}
