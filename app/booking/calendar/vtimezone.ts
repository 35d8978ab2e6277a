import ICAL from 'ical.js'

/**
 * The time zone as a calendar component, with each change of its clock from before `from` until after `until`. Lists of rules that packages
 * have lack the zones that move with the moon (Casablanca) and those that moved lately; the runtime knows them.
 */
export function timeZoneComponent(zone: string, from: Date, until: Date): ICAL.Component {
  const component = new ICAL.Component('vtimezone')
  component.addPropertyWithValue('tzid', zone)
  const end = until.getTime()
  let moment: Temporal.ZonedDateTime | null = firstMoment(zone, from)
  do {
    component.addSubcomponent(observance(moment))
    moment = moment.getTimeZoneTransition('next')
    // A calendar program may look for the offset after the event as well, so the first change after it is in the list.
  } while (moment && moment.subtract({ hours: 24 * 200 }).epochMilliseconds <= end)
  return component
}

/** The last change of the clock before a moment, or a day long ago in a zone without any. */
function firstMoment(zone: string, from: Date): Temporal.ZonedDateTime {
  const start = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zone)
  return start.getTimeZoneTransition('previous') ?? Temporal.PlainDate.from('1970-01-01').toZonedDateTime(zone)
}

function observance(start: Temporal.ZonedDateTime): ICAL.Component {
  const before = start.subtract({ nanoseconds: 1 }).offsetNanoseconds
  const after = start.offsetNanoseconds
  const component = new ICAL.Component(after > before ? 'daylight' : 'standard')
  component.addPropertyWithValue('tzname', nameOf(start))
  component.addPropertyWithValue('tzoffsetfrom', offsetOf(before))
  component.addPropertyWithValue('tzoffsetto', offsetOf(after))
  // RFC 5545: the clock's time of the change, read with the offset before it.
  const wall = start.toInstant().add({ nanoseconds: before }).toString()
  component.addPropertyWithValue('dtstart', ICAL.Time.fromDateTimeString(wall.slice(0, 19)))
  return component
}

function nameOf(start: Temporal.ZonedDateTime): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: start.timeZoneId, timeZoneName: 'short' }).formatToParts(start.epochMilliseconds)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? start.offset
}

function offsetOf(nanoseconds: number): ICAL.UtcOffset {
  return ICAL.UtcOffset.fromSeconds(nanoseconds / 1e9)
}
