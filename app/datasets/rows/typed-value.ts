import type { ColumnType } from '#app/datasets/catalog/column.ts'
import { numberText } from '#app/platform/text/english-number.ts'

const MOST_CHARACTERS = 10_000
/** 38 digits and a little: the maximum of 16 bytes. */
const MOST_INTEGER = 2n ** 127n - 1n
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/i
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z| ?[+-]\d{2}(?::?\d{2})?| \d{2}(?::?\d{2})?)?)?$/i

/** The value as text for the database, or a description of valid values. */
export type Typed = { value: string } | { must: string }

/** Parses a filter's value. */
export function typedValue(type: ColumnType, text: string): Typed {
  if (text.length > MOST_CHARACTERS) return { must: `at most ${numberText(MOST_CHARACTERS)} characters long` }
  const value = readers[type](text)
  return value === undefined ? { must: words[type] } : { value }
}

const words: Record<ColumnType, string> = {
  text: 'text',
  integer: 'a whole number, such as 42',
  number: 'a number, such as 4.2',
  boolean: 'true or false',
  date: 'a date, such as 2026-01-31',
  timestamp: 'a date or time, such as 2026-01-31T09:30:00',
  list: 'left out: lists support only [null]',
  object: 'left out: objects support only [null]',
}

const readers: Record<ColumnType, (text: string) => string | undefined> = {
  text: (text) => text,
  integer: (text) => (/^[+-]?\d{1,39}$/.test(text) && isWithin(BigInt(text.replace('+', ''))) ? text.replace('+', '') : undefined),
  number: (text) => (NUMBER.test(text) && Number.isFinite(Number(text)) ? text : undefined),
  boolean: (text) => (text === 'true' || text === 'false' ? text : undefined),
  date: (text) => (isDay(text) ? text : undefined),
  timestamp: readTime,
  list: () => undefined,
  object: () => undefined,
}

function isWithin(value: bigint): boolean {
  return value <= MOST_INTEGER && value >= -MOST_INTEGER
}

/** Whether the day is in the calendar: no 30 February. */
function isDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = DAY.exec(text) ?? []
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  return year !== '' && Number(year) > 0 && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

/** Stored times have no zone or are UTC, so a time with a zone is converted to UTC. */
function readTime(text: string): string | undefined {
  const [, day = '', hour = '00', minute = '00', second = '00', fraction = '', zone = ''] = TIME.exec(text) ?? []
  if (!isDay(day) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const behind = minutesOf(zone)
  if (behind === undefined) return undefined
  const utc = new Date(Date.parse(`${day}T${hour}:${minute}:${second}Z`) - behind * 60_000).toISOString()
  // Conversion at the ends of the calendar would leave it.
  return /^\d{4}-/.test(utc) ? `${utc.slice(0, 19).replace('T', ' ')}.${fraction.padEnd(6, '0')}` : undefined
}

/** In a URL, a plus sign that is not encoded arrives as a space. */
function minutesOf(zone: string): number | undefined {
  if (zone === '' || zone.toUpperCase() === 'Z') return 0
  const [, sign, hours, minutes] = /^ ?([+-]?)(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  if (Number(hours) > 14 || Number(minutes ?? 0) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0))
}
