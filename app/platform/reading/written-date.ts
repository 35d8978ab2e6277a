import type { DateOrder, Readings } from './column-reading.ts'

const DAY = 86_400_000
/** Day 0 of spreadsheets, which believe in the 29th of February 1900. */
const SPREADSHEET_START = Date.UTC(1899, 11, 30)
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv', 'da', 'pl']

/** A moment with each order. Without a zone it is read as UTC. What is no date has no reading. */
export function dateReadings(given: string): Readings<DateOrder, Date> {
  const text = given.normalize('NFKC').trim().replaceAll(/\s+/g, ' ')
  const [, one = '', sign, two = '', three = '', rest = ''] =
    /^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(.*)$/.exec(text.replaceAll(/(?<=\d[-./]) (?=\d)/g, '')) ?? []
  const fixed = sign ? one.length === 4 && at([one, two, three], rest) : (countedMoment(text) ?? namedMonth(text))
  if (fixed) return { dmy: fixed, mdy: fixed, ymd: fixed }
  if (!sign || one.length > 2) return {}
  return {
    dmy: at([three, two, one], rest),
    mdy: at([three, one, two], rest),
    ymd: three.length <= 2 && one.length === 2 ? at([one, two, three], rest) : undefined,
  }
}

/** Eight figures as `20261105`, seconds or milliseconds since 1970, or the serial number of a spreadsheet. */
function countedMoment(text: string): Date | undefined {
  const [, year = '', month = '', day = ''] = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  if (year) return at([year, month, day], '')
  if (/^\d{13}$/.test(text)) return new Date(Number(text))
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000)
  if (/^[2-9]\d{4}([.,]\d+)?$/.test(text))
    return new Date(SPREADSHEET_START + Math.round((Number(text.replace(',', '.')) * DAY) / 1000) * 1000)
  return undefined
}

/** `5 Nov 2026`, `5-Nov-26`, `November 5, 2026` and `Thu, 05 Nov 2026 14:00:00 +0100`, in the languages above. */
function namedMonth(text: string): Date | undefined {
  const plain = text.replace(/^\p{L}+\.?,? /u, (word) => (nameAt(word, 'weekday') === undefined ? word : ''))
  const [, day = '', dayMonth = '', dayYear = '', dayRest = ''] =
    /^(\d{1,2})(?:\.|st|nd|rd|th|er|º)?(?: |-)(?:de )?(\p{L}+)\.?,?(?: |-)(?:de )?(\d{4}|\d\d)\b(.*)$/iu.exec(plain) ?? []
  if (day) return at([dayYear, monthOf(dayMonth), day], dayRest)
  const [, month = '', monthDay = '', monthYear = '', rest = ''] =
    /^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b(.*)$/iu.exec(plain) ?? []
  return month ? at([monthYear, monthOf(month), monthDay], rest) : undefined
}

function monthOf(name: string): string {
  const place = nameAt(name, 'month')
  return place === undefined ? '' : String(place + 1)
}

/** The names of months in lower case, with their place from 0. */
export function monthNames(): ReadonlyMap<string, number> {
  return (known.month ??= namesOf('month'))
}

type Named = 'month' | 'weekday'
const known: Partial<Record<Named, Map<string, number>>> = {}

/** The place of a name in the year, or in a week. */
function nameAt(name: string, kind: Named): number | undefined {
  return (known[kind] ??= namesOf(kind)).get(plainName(name))
}

function namesOf(kind: Named): Map<string, number> {
  const formats = LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).map(
      (style) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', [kind]: style, timeZone: 'UTC' }),
    ),
  )
  const names = new Map<string, number>()
  for (const format of formats) {
    for (let place = 0; place < 12; place += 1) {
      const date = kind === 'month' ? Date.UTC(2026, place, 5) : Date.UTC(2026, 0, 4 + place)
      const part = format.formatToParts(date).find(({ type }) => type === kind)
      if (part) names.set(plainName(part.value), place)
    }
  }
  if (kind === 'month') names.set('sept', 8)
  return names
}

function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[.,]+$/, '')
}

const TIME =
  /^(?:(?:T|,? (?:at )?)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?: ?([ap])\.?m\.?)?)?(?: ?(Z|UTC|GMT)?(?:([+-])(\d\d):?(\d\d))?)?(?: \([^()]*\))?$/i

/** Undefined for what no calendar has. A year without its century is at most the next one. */
function at([year, month, day]: [string, string, string], rest: string): Date | undefined {
  const time = TIME.exec(rest)
  if (!time || !month || !/^([1-9]\d{3}|\d\d)$/.test(year)) return undefined
  const [, hours = '0', minutes = '0', seconds = '0', half, , sign, zoneHours = '0', zoneMinutes = '0'] = time
  const century = year.length === 4 ? 0 : Number(year) > new Date().getUTCFullYear() - 2000 + 1 ? 1900 : 2000
  const date = new Date(Date.UTC(century + Number(year), Number(month) - 1, Number(day)))
  const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours)
  if (!isReal || hour > 23 || Number(minutes) > 59 || Number(seconds) > 60 || (half && Number(hours) > 12)) return undefined
  const behind = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes))
  return new Date(date.getTime() + ((hour * 60 + Number(minutes) - behind) * 60 + Number(seconds)) * 1000)
}
