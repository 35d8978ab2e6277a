import type { SampleCell, SampleSheet } from './csv.ts'

const columns = [
  'zone',
  'region',
  'city',
  'changes_at_utc',
  'offset_before',
  'offset_after',
  'shift_minutes',
  'clocks_go',
  'local_before',
  'local_after',
]

const FROM = '2015-01-01T00:00:00Z'
const UNTIL = '2031-01-01T00:00:00Z'

/** Every clock change in every city zone of the time zone database (public domain), from 2015 to 2030 by the current rules. */
export function clockChanges(): SampleSheet {
  return { columns, rows: rowsOf() }
}

function* rowsOf(): Generator<SampleCell[]> {
  for (const zone of Intl.supportedValuesOf('timeZone').toSorted()) if (isCity(zone)) yield* changesOf(zone)
}

/** Other zones are names of offsets. */
function isCity(zone: string): boolean {
  return zone.includes('/') && !/^(Etc|SystemV|US|Canada|Brazil|Mexico|Chile)\//.test(zone)
}

function* changesOf(zone: string): Generator<SampleCell[]> {
  const end = Temporal.Instant.from(UNTIL).epochMilliseconds
  let moment = Temporal.Instant.from(FROM).toZonedDateTimeISO(zone).getTimeZoneTransition('next')
  while (moment && moment.epochMilliseconds < end) {
    const before = moment.subtract({ seconds: 1 })
    const shift = Math.round((moment.offsetNanoseconds - before.offsetNanoseconds) / 60e9)
    if (shift !== 0) yield rowOf(zone, before, moment, shift)
    moment = moment.getTimeZoneTransition('next')
  }
}

function rowOf(zone: string, before: Temporal.ZonedDateTime, after: Temporal.ZonedDateTime, shift: number): SampleCell[] {
  const [region = '', ...place] = zone.split('/')
  const at = after.toInstant().toString({ smallestUnit: 'second' })
  return [
    zone,
    region,
    place.join(', ').replaceAll('_', ' '),
    at,
    before.offset,
    after.offset,
    shift,
    shift > 0 ? 'forward' : 'back',
    before.toPlainDateTime().toString({ smallestUnit: 'second' }),
    after.toPlainDateTime().toString({ smallestUnit: 'second' }),
  ]
}
