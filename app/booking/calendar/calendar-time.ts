import ICAL from 'ical.js'
import { findIana } from 'windows-iana'
import { isZone } from '#app/platform/time/weekly-hours.ts'

type Zone = string | ICAL.Timezone

/** Moments in milliseconds, for the times of one calendar. Zones are found by name; a calendar's own rules serve where the name says nothing. */
export class CalendarClock {
  readonly #zone: string
  readonly #reading: 'first' | 'other'
  readonly #known = new Map<string, Zone[]>()
  readonly #own = new Map<string, ICAL.Component>()
  #isInDoubt = false

  /**
   * `zone` is for times without any, and for days. A zone that nobody knows has two readings: as this one, and as UTC. So has the name of an offset
   * that may have a summer time.
   */
  constructor(zone: string, components: readonly ICAL.Component[], reading: 'first' | 'other' = 'first') {
    this.#zone = zone
    this.#reading = reading
    for (const component of components) this.#own.set(String(component.getFirstPropertyValue('tzid')), component)
  }

  /** The zone that a property names. Undefined: none. */
  zoneOf(property: ICAL.Property): Zone | undefined {
    const name = property.getFirstParameter('tzid')
    if (!name) return undefined
    const known = this.#known.get(name) ?? this.#find(name)
    this.#known.set(name, known)
    if (known.length > 1) this.#isInDoubt = true
    return this.#reading === 'first' ? known[0] : known.at(-1)
  }

  /** Whether a zone with two readings was asked for since the last call. */
  takeDoubt(): boolean {
    const isInDoubt = this.#isInDoubt
    this.#isInDoubt = false
    return isInDoubt
  }

  /** The names of zones with two readings. */
  unknownZones(): string[] {
    return [...this.#known].flatMap(([name, zones]) => (zones.length > 1 ? [name] : []))
  }

  at(time: ICAL.Time, zone: Zone | undefined): number {
    if (time.zone === ICAL.Timezone.utcTimezone) return time.toUnixTime() * 1000
    if (zone instanceof ICAL.Timezone) return momentIn(time, zone)
    return plainOf(time).toZonedDateTime(zone ?? this.#zone).epochMilliseconds
  }

  /** The clock's time at a moment: the other way round. */
  clockAt(moment: number, zone: Zone | undefined): ICAL.Time {
    const utc = ICAL.Time.fromData({ ...fieldsOf(moment, 'UTC'), isDate: false }, ICAL.Timezone.utcTimezone)
    if (zone instanceof ICAL.Timezone) return floating(utc.convertToZone(zone))
    return ICAL.Time.fromData({ ...fieldsOf(moment, zone ?? this.#zone), isDate: false })
  }

  #find(name: string): Zone[] {
    const component = this.#own.get(name)
    const location = component?.getFirstPropertyValue('x-lic-location')
    const named = zoneNamed(name) ?? (typeof location === 'string' ? zoneNamed(location) : undefined)
    if (named) return [named]
    if (component && ['standard', 'daylight'].some((rules) => component.getFirstSubcomponent(rules)))
      return [new ICAL.Timezone({ component, tzid: name })]
    return offsetsIn(name) ?? [this.#zone, 'UTC']
  }
}

/** `Europe/Berlin`, `/citadel.org/20260101_1/Europe/Berlin`, `W. Europe Standard Time` or `(UTC+01:00) Amsterdam, Berlin`. */
export function zoneNamed(name: string): string | undefined {
  if (isZone(name)) return name
  const parts = name.split('/').filter(Boolean)
  const ending = [3, 2].map((count) => parts.slice(-count).join('/')).find((end) => end !== name && end.includes('/') && isZone(end))
  return ending ?? findIana(name.trim()).find(isZone) ?? shownZone(name)
}

const OFFSET = /^\W*(?:GMT|UTC|Z)?\s*([+-])\s*(\d{1,2})(?::?(\d\d))?(?!\d)\W*(.*)$/i

/** `GMT-0500` is one offset. With words, as in `(UTC-05:00) Somewhere`, there may be a summer time: two readings. */
function offsetsIn(name: string): string[] | undefined {
  const [, sign, hours = '', minutes = '00', words = ''] = OFFSET.exec(name) ?? []
  if (!sign || Number(hours) > 14 || Number(minutes) > 59) return undefined
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  return /[a-z]/i.test(words) ? [offsetText(offset), offsetText(offset + 60)] : [offsetText(offset)]
}

function offsetText(minutes: number): string {
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${part(Math.abs(minutes) / 60)}:${part(Math.abs(minutes) % 60)}`
}

/** The zone that Windows shows as `(UTC-05:00) Eastern Time (US & Canada)`: named after its cities, or as its standard time. */
function shownZone(name: string): string | undefined {
  const [offset] = offsetsIn(name) ?? []
  const words = OFFSET.exec(name)?.[4]
  if (!offset || !words) return undefined
  const standard = findIana(`${words.replace(/\s*\(.*\)$/, '').replace(/\s*Time$/i, '')} Standard Time`)
  const cities = new Set(words.split(',').map((city) => city.trim().replaceAll(' ', '_').toLowerCase()))
  const named = Intl.supportedValuesOf('timeZone').filter((zone) => cities.has(zone.split('/').at(-1)?.toLowerCase() ?? ''))
  return [...standard, ...named].filter(isZone).find((zone) => hasOffset(zone, offset))
}

/** Whether the clock of a zone has an offset in winter or in summer. */
function hasOffset(zone: string, offset: string): boolean {
  return ['2026-01-01T00:00Z', '2026-07-01T00:00Z'].some(
    (moment) => Temporal.Instant.from(moment).toZonedDateTimeISO(zone).offset === offset,
  )
}

/** A zone by the calendar's own rules. */
function momentIn(time: ICAL.Time, zone: ICAL.Timezone): number {
  const own = time.clone()
  own.zone = zone
  return own.toUnixTime() * 1000
}

function floating(time: ICAL.Time): ICAL.Time {
  const { year, month, day, hour, minute, second } = time
  return ICAL.Time.fromData({ year, month, day, hour, minute, second, isDate: false })
}

function plainOf({ year, month, day, hour, minute, second }: ICAL.Time): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from({ year, month, day, hour, minute, second })
}

function fieldsOf(moment: number, zone: string) {
  const { year, month, day, hour, minute, second } = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone)
  return { year, month, day, hour, minute, second }
}
