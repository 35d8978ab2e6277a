import ICAL from 'ical.js'
import { findIana } from 'windows-iana'
import { isZone } from '#app/platform/weekly-hours.ts'

/** Moments in milliseconds, for the times of one calendar. Zones are found by name; a calendar's own rules serve where the name says nothing. */
export class CalendarClock {
  readonly #zone: string
  readonly #known = new Map<string, string | ICAL.Timezone | undefined>()
  readonly #own = new Map<string, ICAL.Component>()

  /** `zone` is for times without any, and for days. */
  constructor(zone: string, components: readonly ICAL.Component[]) {
    this.#zone = zone
    for (const component of components) this.#own.set(String(component.getFirstPropertyValue('tzid')), component)
  }

  /** The zone that a property names. Undefined: none, or one that nobody knows. */
  zoneOf(property: ICAL.Property): string | ICAL.Timezone | undefined {
    const name = property.getFirstParameter('tzid')
    if (!name) return undefined
    if (!this.#known.has(name)) this.#known.set(name, this.#find(name))
    return this.#known.get(name)
  }

  at(time: ICAL.Time, zone: string | ICAL.Timezone | undefined): number {
    if (time.zone === ICAL.Timezone.utcTimezone) return time.toUnixTime() * 1000
    if (zone instanceof ICAL.Timezone) return momentIn(time, zone)
    return plainOf(time).toZonedDateTime(zone ?? this.#zone).epochMilliseconds
  }

  /** The clock's time at a moment: the other way round. */
  clockAt(moment: number, zone: string | ICAL.Timezone | undefined): ICAL.Time {
    const utc = ICAL.Time.fromData({ ...fieldsOf(moment, 'UTC'), isDate: false }, ICAL.Timezone.utcTimezone)
    if (zone instanceof ICAL.Timezone) return floating(utc.convertToZone(zone))
    return ICAL.Time.fromData({ ...fieldsOf(moment, zone ?? this.#zone), isDate: false })
  }

  #find(name: string): string | ICAL.Timezone | undefined {
    const component = this.#own.get(name)
    const location = component?.getFirstPropertyValue('x-lic-location')
    const named = zoneNamed(name) ?? (typeof location === 'string' ? zoneNamed(location) : undefined)
    return named ?? (component && new ICAL.Timezone({ component, tzid: name }))
  }
}

/** `Europe/Berlin`, `/citadel.org/20260101_1/Europe/Berlin` or `W. Europe Standard Time`. */
function zoneNamed(name: string): string | undefined {
  if (isZone(name)) return name
  const parts = name.split('/').filter(Boolean)
  const ending = [3, 2].map((count) => parts.slice(-count).join('/')).find((end) => end !== name && end.includes('/') && isZone(end))
  return ending ?? findIana(name.trim()).find(isZone)
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
