import { hostBody, type HostBody, type ListedHost } from './calendar.ts'
import { type PlaceKind, placeKind, WE_CALL } from '#app/booking/rules/place.ts'
import { zoneText } from './call-text.ts'

/** The fields of the hours' form: numbers as typed. */
export type HoursFields = Pick<HostBody, 'isActive' | 'name' | 'zone' | 'hours' | 'place'> & {
  placeKind: PlaceKind
  noticeHours: string
  horizonDays: string
  bufferBeforeMinutes: string
  bufferAfterMinutes: string
  dailyCap: string
}

export const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

export function fieldsOf({ isActive, name, zone, hours, place, ...limits }: ListedHost): HoursFields {
  return {
    isActive,
    name,
    zone,
    hours,
    place,
    placeKind: placeKind(place),
    noticeHours: String(limits.noticeMinutes / 60),
    horizonDays: String(limits.horizonDays),
    bufferBeforeMinutes: String(limits.bufferBeforeMinutes),
    bufferAfterMinutes: String(limits.bufferAfterMinutes),
    dailyCap: limits.dailyCap === null ? '' : String(limits.dailyCap),
  }
}

/** The body of a save, or an error for each field that is wrong. */
export function checkHours(fields: HoursFields): { body: HostBody; errors?: never } | { body?: never; errors: Record<string, string> } {
  const { noticeHours, horizonDays, bufferBeforeMinutes, bufferAfterMinutes, dailyCap, placeKind: kind, ...rest } = fields
  const place = placeOf(fields)
  const body = {
    ...rest,
    place,
    noticeMinutes: numberOf(noticeHours) * 60,
    horizonDays: numberOf(horizonDays),
    bufferBeforeMinutes: numberOf(bufferBeforeMinutes),
    bufferAfterMinutes: numberOf(bufferAfterMinutes),
    dailyCap: dailyCap.trim() === '' ? null : numberOf(dailyCap),
  }
  const read = hostBody.safeParse(body)
  const missing = kind === placeKind(place) ? undefined : missingPlace[kind]
  if (missing) return { errors: { place: missing } }
  if (read.success) return { body: read.data }
  const errors = read.error.issues.map(({ path, message }) => [fieldOf(path), message])
  // The first error of a field counts.
  return { errors: Object.fromEntries(errors.toReversed()) }
}

/** The choices of the place, in the order of the form. */
export const placeNames = {
  none: 'Not decided yet',
  link: 'In a video call',
  phone: 'On the phone: we call the guest',
  address: 'At an address',
} as const satisfies Record<PlaceKind, string>

const missingPlace: Partial<Record<PlaceKind, string>> = {
  link: 'Paste the link to the call, beginning with https://',
  address: 'Write the address',
}

/** The place as its guests read it. */
function placeOf({ placeKind: kind, place }: HoursFields): string {
  if (kind === 'none') return ''
  return kind === 'phone' && placeKind(place) !== 'phone' ? WE_CALL : place.trim()
}

/** `hours.2`; other fields by their name. */
function fieldOf([name, day]: readonly PropertyKey[]): string {
  if (name === 'hours' && day !== undefined) return `hours.${String(day)}`
  return name === 'noticeMinutes' ? 'noticeHours' : String(name)
}

/** The server names the same fields. */
export function assignErrors(errors: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([path, message]) => [fieldOf(path.split('.')), message]))
}

function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text)
}

/** The day or the question of an error: its sentence does not name it. */
export function partOf(name: string): string {
  const [part, at] = name.split('.')
  if (part === 'hours' && at !== undefined) return dayNames[Number(at)] ?? ''
  return part === 'questions' && at !== undefined ? `Question ${Number(at) + 1}` : ''
}

/** The weekly hours as text, a line for each day. */
export function hoursText(hours: HoursFields['hours']): string {
  return hours
    .map((spans, day) => `${dayNames[day]}: ${spans.map(({ from, until }) => `${from}–${until}`).join(', ') || 'no calls'}`)
    .join('\n')
}

/** The hours as text, to compare two versions. */
export function describeHours(fields: HoursFields): Record<string, string> {
  return {
    'Takes calls': fields.isActive ? 'Yes' : 'No',
    Name: fields.name,
    'Time zone': zoneText(fields.zone),
    Hours: hoursText(fields.hours),
    Place: placeOf(fields) || placeNames.none,
    Notice: `${fields.noticeHours} h`,
    'Days ahead': fields.horizonDays,
    'Minutes before and after': `${fields.bufferBeforeMinutes}, ${fields.bufferAfterMinutes}`,
    'Calls per day': fields.dailyCap || 'No limit',
  }
}
