import { sql } from 'kysely'
import { z } from 'zod'
import { areas } from '#app/content/areas.ts'
import { listStages } from '#app/leads/lead/stage.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { UUID } from '#app/platform/text/uuid.ts'

type Event = { action: string; subjectId: string | null; detail: Record<string, unknown> }

const STAGE_CHANGED = 'lead_stage_changed'

/** The names of what events are about, by id, as far as it still exists. Stages are listed as `stage:1`. */
export async function namesIn(events: Event[]): Promise<Map<string, string>> {
  const ids = events.flatMap(({ subjectId, detail }) => [subjectId, ...Object.values(detail).flat()]).filter(isId)
  const names = new Map<string, string>()
  if (ids.length > 0) for (const { id, name } of await findNames([...new Set(ids)])) names.set(id, name)
  if (events.some(({ action }) => action === STAGE_CHANGED)) for (const { id, name } of await listStages()) names.set(`stage:${id}`, name)
  return names
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value)
}

async function findNames(ids: string[]) {
  return queryRows(
    db,
    { id: z.string(), name: z.string() },
    sql`
    SELECT id, name FROM (
      SELECT id, name || ' (' || prefix || '…)' AS name FROM api_keys
      UNION ALL SELECT id, name FROM data_products
      UNION ALL SELECT id, title FROM posts
      UNION ALL SELECT id, file_name FROM images
      UNION ALL SELECT id, from_path FROM redirects
      UNION ALL SELECT id, name FROM lead_templates
      UNION ALL SELECT id, name FROM people
      UNION ALL SELECT id, reference FROM contacts
      UNION ALL SELECT id, reference FROM bookings
      UNION ALL SELECT id, label FROM webhook_endpoints
      UNION ALL SELECT deliveries.id, label FROM webhook_deliveries AS deliveries JOIN webhook_endpoints AS endpoints ON endpoints.id = endpoint_id
    ) AS named WHERE name <> '' AND id IN (${sql.join(ids.map((id) => sql`${id}::uuid`))})`,
  )
}

/** The detail of an event for people: names in place of ids. An id without a name is left out, because it would tell them nothing. */
export function factsOf({ action, detail }: Event, names: ReadonlyMap<string, string>): Record<string, unknown> {
  // A narrow column cuts the end, so names come first.
  const entries = Object.entries(detail).toSorted(([, one], [, other]) => Number(isId(other)) - Number(isId(one)))
  const told = entries.map(([key, value]) => {
    const values = [value].flat().map((each) => tell(action, key, each, names))
    const known = values.filter((each) => each !== undefined)
    return [key, Array.isArray(value) && known.length > 0 ? known : known[0]]
  })
  return Object.fromEntries(told.filter(([, value]) => value !== undefined))
}

function tell(action: string, key: string, value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (isId(value)) return names.get(value)
  if (key === 'area') return Object.entries(areas).find(([name]) => name === value)?.[1].title ?? value
  if (action === STAGE_CHANGED && (key === 'from' || key === 'to')) return names.get(`stage:${String(value)}`)
  return value
}
