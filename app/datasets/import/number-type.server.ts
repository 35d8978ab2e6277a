import { asNumber, isExact } from './exact-number.ts'
import { type ColumnValues, type Look, readValueOf, type TextColumn } from './text-column.server.ts'

const MOST_DECIMAL_DIGITS = 38
/** `.5`, `5.` and exponents are numbers, but a decimal is written in another way. */
const REGULAR = String.raw`-?[0-9]+(\.[0-9]+)?`

const AS_BEFORE = 'Stored as numbers as in the version before, without zeros at the end'
const LOOSE = 'Stored as numbers without zeros at the end, because the number of decimals varies'

/** After the first two: the fewest and most decimals, the most digits before the point, irregular values, and those with a trailing zero. */
export function numberCounts(x: string, { isJsonNumber = false }: TextColumn): string[] {
  const text = `trim(${x})`
  const number = asNumber(x)
  const whole = `split_part(ltrim(split_part(lower(${text}), 'e', 1), '-'), '.', 1)`
  const isNumber = `FILTER (${number} IS NOT NULL)`
  const decimals = `CASE WHEN contains(${text}, '.') THEN length(${text}) - strpos(${text}, '.') ELSE 0 END`
  const irregular = `(NOT regexp_full_match(${text}, '${REGULAR}') OR (${number} = 0 AND starts_with(${text}, '-')))`
  return [
    `count(*) ${isNumber}`,
    `count(*) FILTER (${isExact(x, isJsonNumber)})`,
    `coalesce(min(${decimals}) ${isNumber}, 0)`,
    `coalesce(max(${decimals}) ${isNumber}, 0)`,
    `coalesce(max(length(${whole})) ${isNumber}, 0)`,
    `count(*) FILTER (${number} IS NOT NULL AND ${irregular})`,
    `count(*) FILTER (${number} IS NOT NULL AND (${irregular} OR (contains(${text}, '.') AND ends_with(${text}, '0'))))`,
  ]
}

/** One number of decimals is kept as it was written. Where one number is spelled in two ways, the column is text. */
export async function chooseNumber(column: TextColumn, counts: number[], look: Look): Promise<ColumnValues | undefined> {
  const [, , , least = 0, most = 0, whole = 0, irregular = 0, padded = 0] = counts
  const { earlier, isJsonNumber = false, reading } = column
  const x = readValueOf(column)
  const isFixed = least === most && irregular === 0
  if (padded > 0 && !isFixed && !isJsonNumber && !reading && (await look(spelledTwice(x))) > 0) return undefined
  const [, width = 0, scale = 0] = /^DECIMAL\((\d+),(\d+)\)$/.exec(earlier?.kept ?? '')?.map(Number) ?? []
  const keepsScale = scale > 0 && most <= scale && irregular === 0
  const decimals = keepsScale ? scale : isFixed && !isJsonNumber && earlier?.kept !== 'DOUBLE' ? most : 0
  const digits = Math.max(keepsScale ? width : 0, whole + decimals)
  if (decimals > 0 && digits <= MOST_DECIMAL_DIGITS) {
    const note = least === decimals ? undefined : `Written with ${decimals} decimals as in the version before`
    return { type: 'number', sql: `TRY_CAST(${x} AS DECIMAL(${digits},${decimals}))`, note }
  }
  if (isJsonNumber || (most === 0 && irregular === 0)) return { type: 'number', sql: asNumber(x) }
  return { type: 'number', sql: asNumber(x), note: isFixed ? (padded > 0 ? AS_BEFORE : undefined) : LOOSE }
}

function spelledTwice(x: string): (from: string) => string {
  return (from) => `SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${asNumber(x)} IS NOT NULL
    GROUP BY ${asNumber(x)} HAVING min(trim(${x})) <> max(trim(${x})) LIMIT 1)`
}
