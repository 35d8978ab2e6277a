import type { ColumnOffer, ColumnReading } from '#app/datasets/catalog/version.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import { columnGroups } from './column-groups.server.ts'
import { mayBe, readAs, readingFamilies } from './column-reading.server.ts'
import { fitsEnough, SAMPLE_ROWS, type TextTable } from './column-types.server.ts'
import { isExact } from './exact-number.ts'
import type { ImportDatabase } from './import-database.server.ts'
import { type TextColumn, type TypedColumn, valueOf } from './text-column.server.ts'

type Reading = Exclude<ColumnReading, 'text'>
type Asked = {
  name: string
  readings: Reading[]
  /** No question is left: staff have chosen, or customers already have the column as it is. */
  isSettled: boolean
  /** It has a type without any choice. */
  isTyped: boolean
}
type Found = Omit<ColumnOffer['readings'][number], 'reading'> & { reading: Reading; fits: boolean }

/** In characters: how much of a value is shown. */
const SHOWN = 100

/** How columns that have no type of their own can be read: the first rows rule out most readings, all rows are counted for the others. */
export async function offerReadings(
  bench: ImportDatabase,
  table: TextTable,
  columns: readonly TextColumn[],
  typed: readonly TypedColumn[],
): Promise<ColumnOffer[]> {
  const types = new Map(typed.map((each) => [each.name, each.type]))
  const asked = columns.flatMap((column): Asked[] => {
    const type = types.get(column.name) ?? 'text'
    const readings = readingsFor(column, type)
    const isSettled = column.isChosen === true || (column.earlier?.type === type && column.earlier.fillRate > 0)
    return readings.length > 0 ? [{ name: column.name, readings, isSettled, isTyped: type !== 'text' && !column.isChosen }] : []
  })
  const sample = table.rows > SAMPLE_ROWS ? `(SELECT * FROM ${table.from} LIMIT ${SAMPLE_ROWS})` : table.from
  const offers: ColumnOffer[] = []
  for (const some of columnGroups(asked)) {
    for (const column of await withoutStrangers(bench, sample, some)) {
      const offer = await offerFor(bench, { sample, table }, column)
      if (offer) offers.push(offer)
    }
  }
  return offers
}

/** `1.250` is a number already, and may mean more than a thousand. */
function readingsFor({ maybe, reading, isChosen, isJsonNumber }: TextColumn, type: string): Reading[] {
  const all = readingFamilies.flat()
  if (isJsonNumber || maybe.includes('list') || maybe.includes('object')) return []
  if (type === 'text' || reading || isChosen) return all
  return type === 'number' ? ['decimal_comma', 'decimal_point'] : []
}

/** Only the readings that may explain some of the first values. */
async function withoutStrangers(bench: ImportDatabase, from: string, columns: readonly Asked[]): Promise<Asked[]> {
  const counts = columns.flatMap(({ name }) => readingFamilies.map(([first]) => `count(*) FILTER (${mayBe(first, valueOf(name))})`))
  const [row = []] = await bench.rows(`SELECT ${counts.join(', ')} FROM ${from}`)
  const isLikely = (at: number) => (reading: Reading) =>
    readingFamilies.some((family, place) => family.some((each) => each === reading) && Number(row[at * readingFamilies.length + place]) > 0)
  return columns
    .map((column, at) => ({ ...column, readings: column.readings.filter(isLikely(at)) }))
    .filter(({ readings }) => readings.length > 0)
}

type Rows = { sample: string; table: TextTable }

async function offerFor(
  bench: ImportDatabase,
  { sample, table }: Rows,
  { name, readings, isSettled, isTyped }: Asked,
): Promise<ColumnOffer | undefined> {
  const first = await countReadings(bench, sample, name, readings)
  const likely = first.filter(({ fits }) => fits).map(({ reading }) => reading)
  const whole = sample === table.from || likely.length === 0 ? [] : await countReadings(bench, table.from, name, likely)
  const found = first
    .map((each) => whole.find(({ reading }) => reading === each.reading) ?? each)
    .filter(({ values, misfits }) => misfits < values)
  if (found.length === 0) return undefined
  const fitting = found.filter(({ fits }) => fits)
  if (isTyped && fitting.length < 2) return undefined
  const example = await exampleOf(bench, sample, name, [...fitting, ...found.filter(({ fits }) => !fits)])
  if (!example) return undefined
  const { text, reads } = example
  const rivals = fitting.filter(({ reading }) => familyOf(reading) === familyOf(fitting[0]?.reading))
  const isOpen = new Set(rivals.map(({ reading }) => reads.get(reading))).size > 1
  const isSame = fitting.every(({ reading }) => reads.get(reading) === text)
  if (isTyped && !isOpen) return undefined
  const state = isSettled || fitting.length === 0 || isSame ? 'possible' : isOpen ? 'open' : 'proposed'
  const shown = [...fitting, ...found.filter(({ fits }) => !fits)].map(({ fits: _fits, ...each }) => ({
    ...each,
    reads: wordsOf(reads.get(each.reading)),
  }))
  return { column: name, state, text: text.slice(0, SHOWN), readings: shown }
}

const familyOf = (reading: Reading | undefined) => readingFamilies.find((family) => family.some((each) => each === reading))

/** Counts the values that each reading explains, with two that it does not. */
async function countReadings(bench: ImportDatabase, from: string, name: string, readings: readonly Reading[]): Promise<Found[]> {
  const inner = readings.map((reading, at) => `${readAs(reading, valueOf(name))} AS v${at}`)
  const outer = readings.flatMap((reading, at) => {
    const misfit = `left(x, ${SHOWN})) FILTER (x IS NOT NULL AND v${at} IS NULL)`
    const exact = reading.startsWith('decimal_') ? `count(*) FILTER (${isExact(`v${at}`)})` : `count(v${at})`
    return [`count(v${at})`, exact, `min(${misfit}`, `max(${misfit}`]
  })
  const [[filled, ...row] = []] = await bench.rows(
    `SELECT count(x), ${outer.join(', ')} FROM (SELECT ${valueOf(name)} AS x, ${inner.join(', ')} FROM ${from})`,
  )
  const values = Number(filled)
  return readings.map((reading, at) => {
    const [readable, exact] = [Number(row[at * 4]), Number(row[at * 4 + 1])]
    const examples = [...new Set(row.slice(at * 4 + 2, at * 4 + 4))].filter((each) => each !== null).map(String)
    // `007` among numbers is a code.
    const fits = readable > 0 && exact === readable && fitsEnough({ filled: values, readable })
    return { reading, reads: null, values, misfits: values - exact, examples, fits }
  })
}

type Example = { text: string; reads: ReadonlyMap<Reading, string> }

/** A value that shows the difference best: read in different ways, or changed by the reading. */
async function exampleOf(bench: ImportDatabase, from: string, name: string, found: readonly Found[]): Promise<Example | undefined> {
  const [, ...others] = found
  const differ = others.map((_each, at) => `v0 <> v${at + 1}`).join(' OR ') || 'false'
  const values = found.map(({ reading }, at) => `${readAs(reading, valueOf(name))} AS v${at}`)
  const [row = []] =
    await bench.rows(`SELECT x, ${found.map((_each, at) => `v${at}`).join(', ')} FROM (SELECT ${valueOf(name)} AS x, ${values.join(', ')} FROM ${from})
    WHERE v0 IS NOT NULL ORDER BY coalesce(${differ}, false) DESC, v0 <> trim(x) DESC, x LIMIT 1`)
  const [text, ...reads] = row
  if (typeof text !== 'string') return undefined
  const isRead = (value: unknown) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return {
    text,
    reads: new Map(
      found.flatMap(({ reading }, at) => {
        const read = reads[at]
        return isRead(read) ? [[reading, String(read)] as const] : []
      }),
    ),
  }
}

/** A read value for people: `1,234.50`, `November 5, 2026`, `Yes`. */
function wordsOf(value: string | undefined): string | null {
  if (value === undefined) return null
  if (value === 'true' || value === 'false') return value === 'true' ? 'Yes' : 'No'
  const [, day, time = ''] = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d.*))?$/.exec(value) ?? []
  if (day) return `${longDay(new Date(`${day}T00:00:00Z`))}${time && `, ${time}`}`
  return value.replace(/^-?\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ','))
}
