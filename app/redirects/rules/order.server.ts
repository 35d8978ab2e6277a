import { sql } from 'kysely'
import { stop } from '#app/platform/stop.ts'
import { refuseNewCircles } from './problems.server.ts'
import type { RedirectOrder } from './redirect-request.ts'
import { changeRedirects, listRedirects } from './redirect-list.server.ts'

/** Reorders the whole list, or moves one redirect before another one (or to the end). Stops with a conflict if the list has changed. */
export async function orderRedirects(order: RedirectOrder): Promise<void> {
  await changeRedirects(async (trx) => {
    const before = await listRedirects(trx)
    const ids =
      'ids' in order
        ? order.ids
        : moved(
            before.map(({ id }) => id),
            order.id,
            order.before,
          )
    const places = new Map(ids.map((id, place) => [id, place]))
    if (places.size !== before.length || before.some(({ id }) => !places.has(id))) {
      stop('conflict', 'The list has changed in the meantime. Reload it and try again.', { code: 'list_changed' })
    }
    const after = before.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
    await refuseNewCircles(before, after)
    await sql`UPDATE redirects SET position = wanted.position FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS wanted(id, position)
      WHERE redirects.id = wanted.id AND redirects.position <> wanted.position`.execute(trx)
  })
}

function moved(ids: readonly string[], id: string, before: string | null): string[] {
  const others = ids.filter((other) => other !== id)
  const place = before === null ? others.length : others.indexOf(before)
  if (others.length === ids.length || place < 0)
    stop('conflict', 'The list has changed in the meantime. Reload it and try again.', { code: 'list_changed' })
  return others.toSpliced(place, 0, id)
}
