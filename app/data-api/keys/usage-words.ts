import { dayOfMonth } from '#app/platform/time/english-date.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import type { UsageDay } from './api-key.ts'

/** The used share of a quota, from 0 to 1. */
export function shareUsed(used: number, quota: number): number {
  return quota === 0 ? 1 : Math.min(1, used / quota)
}

/** The chart as a sentence, for screen readers and for a quick look. */
export function describeUsage(days: readonly UsageDay[]): string {
  const requests = sum(days, 'requests')
  const refused = sum(days, 'refused')
  const also = refused > 0 ? ` ${countOf(refused, 'request')} refused.` : ''
  if (requests === 0) return `Not used in the last ${days.length} days.${also}`
  const busiest = days.reduce((most, day) => (day.requests > most.requests ? day : most))
  const rows = countOf(sum(days, 'rows'), 'row')
  return `${countOf(requests, 'request')} and ${rows} in ${days.length} days, most on ${formatUsageDay(busiest.date)}: ${numberText(busiest.requests)}.${also}`
}

/** `Oct 3`, for a day in UTC. */
export const formatUsageDay = (date: string) => dayOfMonth(new Date(date))

function countOf(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`
}

function sum(days: readonly UsageDay[], what: 'requests' | 'refused' | 'rows'): number {
  return days.reduce((total, day) => total + day[what], 0)
}
