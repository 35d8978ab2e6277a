import type { ColumnReading } from '#app/datasets/catalog/version.ts'
import { monthNames } from '#app/platform/reading/written-date.ts'

/** The types that a reading can give, in order. */
type ReadType = 'boolean' | 'integer' | 'number' | 'date' | 'timestamp'

type Reading = Exclude<ColumnReading, 'text'>

/** Readings of one family are alternatives to each other. */
export const readingFamilies = [
  ['decimal_comma', 'decimal_point'],
  ['day_first', 'month_first', 'year_first'],
  ['yes_no'],
] as const satisfies Reading[][]

export function typesOfReading(reading: Reading): readonly ReadType[] {
  if (reading === 'yes_no') return ['boolean']
  return reading.startsWith('decimal_') ? ['integer', 'number'] : ['date', 'timestamp']
}

/**
 * SQL of a text as it is read: `1234.56`, `2026-11-05`, `2026-11-05 14:30:00`, `true`. NULL for what the reading does not explain. Leading zeros stay,
 * because they make a code.
 */
export function readAs(reading: Reading, x: string): string {
  if (reading === 'yes_no') return yesOrNo(`lower(trim(${x}))`)
  const plain = plainText(x)
  return reading.startsWith('decimal_') ? decimal(plain, reading === 'decimal_comma' ? ',' : '.') : momentIn(plain, reading)
}

const LIKE_DATE =
  '^([0-9]{1,4}[-./] ?[0-9]{1,2}[-./] ?[0-9]|[^0-9]{0,12}[0-9]{1,2}[^0-9]{0,4}[^0-9 .,:;/-]{3}|[^0-9]{3,25}[0-9]{1,2}[^0-9]{1,4}[0-9]{4})'

/** A cheap look: whether a text can be one of the family of the reading. */
export function mayBe(reading: Reading, x: string): string {
  if (reading === 'yes_no') return `${readAs(reading, x)} IS NOT NULL`
  if (reading.startsWith('decimal_')) return `regexp_full_match(${plainText(x)}, '-?[0-9., '']*[0-9]')`
  return `regexp_matches(${plainText(x)}, '${LIKE_DATE}')`
}

/** Spreadsheets write spaces that do not break, and signs of typography. */
function plainText(x: string): string {
  return `trim(translate(${x}, chr(160) || chr(8239) || chr(8201) || '’−', '   ''-'))`
}

function matches(x: string, { pattern }: typeof FIGURES): string {
  return `regexp_matches(${x}, '${pattern}')`
}

function decimal(x: string, sign: ',' | '.'): string {
  const other = sign === ',' ? '.' : ','
  const groups = ['[.]', '[,]', ' ', "''"].filter((each) => each !== `[${sign}]`).map((each) => `(${each}[0-9]{3})+`)
  const pattern = `-?([0-9]+|[1-9][0-9]{0,2}(${groups.join('|')}))?([${sign}][0-9]+)?`
  const digits = `translate(${x}, '${other} ''', '')`
  return `CASE WHEN regexp_full_match(${x}, '${pattern}') AND regexp_matches(${x}, '[0-9]') THEN ${sign === ',' ? `replace(${digits}, ',', '.')` : digits} END`
}

const TIME = String.raw`(?:(?:,? (?:at )?|T)([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,6}))?)?(?: ?([AaPp])[.]?[Mm][.]?| Uhr)?)?`
const TIME_PARTS = ['hour', 'minute', 'second', 'fraction', 'half']
/** Classes of all letters, in any case, take the engine too long to prepare. */
const WORD = '([^0-9 .,:;/-]+)'
const WEEKDAY = '(?:[^0-9 .,:;/-]+[.]?,? )?'
const NTH = '(?:st|nd|rd|th|er|º)?'
/** `05/11/2026`, `5. 11. 2026`, `2026-11-05`. */
const FIGURES = {
  pattern: String.raw`^([0-9]{1,4})(?:[.] ?([0-9]{1,2})[.] ?|/([0-9]{1,2})/|-([0-9]{1,2})-)([0-9]{1,4})${TIME}$`,
  parts: ['one', 'dotted', 'slashed', 'dashed', 'three', ...TIME_PARTS],
}
/** `5 Nov 2026`, `Do., 5. November 2026`, `5-Nov-26`. */
const DAY_MONTH = {
  pattern: String.raw`^${WEEKDAY}([0-9]{1,2})[.]?${NTH}[ -]?(?:de )?${WORD}[.]?,?[ -](?:de )?([0-9]{4}|[0-9]{2})${TIME}$`,
  parts: ['day', 'month', 'year', ...TIME_PARTS],
}
/** `November 5, 2026`. */
const MONTH_DAY = {
  pattern: String.raw`^${WEEKDAY}${WORD}[.]? ([0-9]{1,2})${NTH},? ([0-9]{4})${TIME}$`,
  parts: ['month', 'day', 'year', ...TIME_PARTS],
}

/** The parts of figures, in each order. A year of four figures in front is first in any order. */
const orders: Partial<Record<Reading, string>> = {
  day_first: 'WHEN length(p.one) <= 2 AND length(p.three) IN (2, 4) THEN [p.three, p.two, p.one]',
  month_first: 'WHEN length(p.one) <= 2 AND length(p.three) IN (2, 4) THEN [p.three, p.one, p.two]',
  year_first: 'WHEN length(p.one) = 2 AND length(p.three) <= 2 THEN [p.one, p.two, p.three]',
}

/** Dates in figures, and with the name of a month, which has one reading in each order. A day that no calendar has is not a date. */
function momentIn(x: string, order: Reading): string {
  // A list of one: its function computes each part once.
  const once = ({ pattern, parts }: typeof FIGURES, fields: string) =>
    `list_transform(list_transform([regexp_extract(${x}, '${pattern}', [${parts.map((part) => `'${part}'`).join(', ')}])],
      lambda q: ${fields}), lambda p: ${written(order)})[1]`
  const figures = 'struct_insert(q, two := q.dotted || q.slashed || q.dashed, ymd := NULL::VARCHAR[])'
  const named = `struct_insert(q, one := '', two := '', three := '', ymd := [q.year, ${monthOf('lower(q.month)')}, q.day])`
  const text = `CASE WHEN ${matches(x, FIGURES)} THEN ${once(FIGURES, figures)} WHEN ${matches(x, DAY_MONTH)} THEN ${once(DAY_MONTH, named)}
    WHEN ${matches(x, MONTH_DAY)} THEN ${once(MONTH_DAY, named)} END`
  return `list_transform([${text}], lambda v: CASE WHEN TRY_CAST(v AS TIMESTAMP) IS NOT NULL THEN v END)[1]`
}

function written(order: Reading): string {
  const next = String((new Date().getUTCFullYear() + 1) % 100).padStart(2, '0')
  // A year without its century is at most the next one.
  const year = `CASE WHEN length(d[1]) = 4 THEN d[1] WHEN d[1] > '${next}' THEN '19' || d[1] ELSE '20' || d[1] END`
  const hour = `TRY_CAST(p.hour AS INTEGER)`
  const clock = `CASE WHEN p.hour = '' THEN '' ELSE ' ' || lpad((CASE lower(p.half) WHEN 'p' THEN ${hour} % 12 + 12 WHEN 'a' THEN ${hour} % 12 ELSE ${hour} END)::VARCHAR, 2, '0')
    || ':' || p.minute || ':' || CASE WHEN p.second = '' THEN '00' ELSE p.second END || CASE WHEN p.fraction = '' THEN '' ELSE '.' || p.fraction END END`
  return `list_transform([coalesce(p.ymd, CASE WHEN length(p.one) = 4 AND length(p.three) <= 2 THEN [p.one, p.two, p.three] ${orders[order] ?? ''} END)],
    lambda d: ${year} || '-' || lpad(d[2], 2, '0') || '-' || lpad(d[3], 2, '0') || ${clock})[1]`
}

/** One constant list: as the branches of a CASE, the names would take longer to plan than the query takes. */
function monthOf(name: string): string {
  const months = [...monthNames()]
  const list = (texts: string[]) => `[${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')}]`
  return `list_extract(${list(months.map(([, place]) => String(place + 1)))}, list_position(${list(months.map(([known]) => known))}, ${name}))`
}

const YES = [
  'yes',
  'y',
  'true',
  't',
  'on',
  '1',
  'ja',
  'j',
  'wahr',
  'oui',
  'o',
  'vrai',
  'sí',
  'si',
  'sì',
  'verdadero',
  'vero',
  'sim',
  'verdadeiro',
  'tak',
  'waar',
]
const NO = ['no', 'n', 'false', 'f', 'off', '0', 'nein', 'falsch', 'non', 'faux', 'falso', 'não', 'nao', 'nee', 'nej', 'nie', 'onwaar']

function yesOrNo(x: string): string {
  const list = (words: string[]) => words.map((word) => `'${word}'`).join(', ')
  return `CASE WHEN ${x} IN (${list(YES)}) THEN 'true' WHEN ${x} IN (${list(NO)}) THEN 'false' END`
}
