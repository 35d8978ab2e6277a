import { listHosts } from '#app/booking/host.server.ts'
import { isZone } from '#app/platform/time/weekly-hours.ts'
import { listSlots, type SlotChoice } from '#app/booking/slots.server.ts'
import { monthOf, type MonthView, spanOf, viewMonth } from './month.ts'

const DAY = 24 * 3_600_000

export type Picker = {
  zone: string
  /** Whether the address names the zone. Otherwise it is the host's. */
  isZoneChosen: boolean
  hostZone: string
  /** Undefined when nobody takes calls. */
  month: MonthView | undefined
}

/** The free times that a page shows: its address may name the `zone`, the `month` and the `day`. */
export async function findPicker(url: URL, choice: SlotChoice & { zone?: string | undefined }): Promise<Picker> {
  const hosts = await listHosts()
  const hostZone = hosts[0]?.rules.zone ?? 'UTC'
  const asked = url.searchParams.get('zone')
  const isZoneChosen = asked !== null && isZone(asked)
  const zone = isZoneChosen ? asked : (choice.zone ?? hostZone)
  const base = { zone, isZoneChosen, hostZone }
  if (hosts.length === 0) return { ...base, month: undefined }
  const now = Date.now()
  const until = now + Math.max(...hosts.map(({ rules }) => rules.horizonDays)) * DAY
  const wish = url.searchParams.get('month')
  const soon = wish ? undefined : (await listSlots({ from: now, until }, choice))[0]
  const month = monthOf(wish, { now, until, zone, fallback: soon?.startsAt ?? now })
  const slots = await listSlots(spanOf(month, zone), choice)
  return { ...base, month: viewMonth({ month, zone, slots, now, until, day: url.searchParams.get('day') }) }
}

/** Every zone that a visitor can choose. */
export function listZones(): readonly string[] {
  zones ??= ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  return zones
}

let zones: readonly string[] | undefined
