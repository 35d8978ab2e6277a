import type { KindChannels } from './preference.ts'

type Times = { zone: string; digestHour: number; quietFrom: number | null; quietUntil: number | null }

/**
 * When a notification leaves by a channel: now, after the quiet hours, or with the digest. Undefined: not at all. The digest comes at its hour
 * also when that is quiet: the person chose it.
 */
export function dispatchTime(channel: 'email' | 'push', { email, push }: KindChannels, times: Times, now: Date): Date | undefined {
  if (channel === 'push') return push ? afterQuietHours(times, now) : undefined
  if (email === 'off') return undefined
  return email === 'now' ? afterQuietHours(times, now) : nextOnClock(times.digestHour * 60, times.zone, now)
}

function afterQuietHours({ zone, quietFrom, quietUntil }: Times, now: Date): Date {
  if (quietFrom === null || quietUntil === null || quietFrom === quietUntil) return now
  const { hour, minute } = zonedTime(zone, now)
  const minutes = hour * 60 + minute
  const isQuiet = quietFrom < quietUntil ? minutes >= quietFrom && minutes < quietUntil : minutes >= quietFrom || minutes < quietUntil
  return isQuiet ? nextOnClock(quietUntil, zone, now) : now
}

/** The next moment at which the clock of a zone shows a time. In the gap of a clock change it is the moment after; of two, the first. */
export function nextOnClock(minutes: number, zone: string, now: Date): Date {
  const time = Temporal.PlainTime.from({ hour: Math.floor(minutes / 60), minute: minutes % 60 })
  const today = zonedTime(zone, now).toPlainDate()
  for (const days of [0, 1]) {
    const moment = today.add({ days }).toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds
    if (moment > now.getTime()) return new Date(moment)
  }
  throw new Error(`The clock of ${zone} shows ${String(time)} neither today nor tomorrow.`)
}

function zonedTime(zone: string, moment: Date) {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone)
}
