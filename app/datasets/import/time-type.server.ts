import { type ColumnValues, type TextColumn, valueOf } from './text-column.server.ts'

/** A day and a time of day, and maybe a zone as an offset from UTC. */
const TIME = String.raw`[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6}0*)?)?( ?(Z|[+-][0-9]{2}(:?[0-9]{2})?))?`
const ZONE = String.raw`(Z|:[0-9.]+ ?[+-][0-9]{2}(:?[0-9]{2})?)$`
const OFFSET = String.raw`:[0-9.]+ ?[+-][0-9]{2}(:?[0-9]{2})?$`
const NO_OFFSET = '[+-]00(:?00)?$'

const MIXED = 'Some times have a zone and others have none. Those with a zone are converted to UTC, the others are taken as UTC'
const SHIFTED = 'Times with an offset are converted to UTC'

/** After the first three: times with a zone, and those that are not in UTC. */
export function timeCounts(x: string): string[] {
  const text = `trim(${x})`
  const isTime = `${asUtc(x)} IS NOT NULL`
  return [
    `count(${x})`,
    `count(*) FILTER (${isTime})`,
    `count(*) FILTER (${isTime} AND regexp_full_match(${text}, '${TIME}'))`,
    `count(*) FILTER (${isTime} AND regexp_matches(${text}, '${ZONE}'))`,
    `count(*) FILTER (${isTime} AND regexp_matches(${text}, '${OFFSET}') AND NOT regexp_matches(${text}, '${NO_OFFSET}'))`,
  ]
}

/** Times with a zone are converted to UTC. */
export async function chooseTime({ name }: TextColumn, counts: number[]): Promise<ColumnValues> {
  const [, readable = 0, , zoned = 0, shifted = 0] = counts
  const sql = asUtc(valueOf(name))
  const isMixed = zoned > 0 && zoned < readable
  return { type: 'timestamp', sql, note: isMixed ? MIXED : shifted > 0 ? SHIFTED : undefined }
}

/** The engine would drop an offset from a time without a zone. */
function asUtc(x: string): string {
  return `TRY_CAST(${x} AS TIMESTAMPTZ)::TIMESTAMP`
}
