import { createHash } from 'node:crypto'
import type { RowChoice } from '#app/datasets/catalog/column.ts'
import { stop } from '#app/platform/stop.ts'

/**
 * Encodes the last row of a page by its position in the file. A cursor is valid for one choice of one version: with another, it would
 * skip rows.
 */
export function writeRowCursor(place: number, versionId: string, choice: RowChoice): string {
  return Buffer.from(`${place}.${markOf(versionId, choice)}`).toString('base64url')
}

/** The position of the last row read; −1 before the first one. */
export function readRowCursor(cursor: string | undefined, versionId: string, choice: RowChoice): number {
  if (cursor === undefined) return -1
  const [, place, mark] = /^(\d{1,15})\.([\w-]+)$/.exec(Buffer.from(cursor.slice(0, 100), 'base64url').toString()) ?? []
  if (place !== undefined && mark === markOf(versionId, choice)) return Number(place)
  return stop('unprocessable', 'This cursor belongs to another query. Start again without a cursor.', {
    errors: { cursor: 'This cursor belongs to another version or query' },
  })
}

function markOf(versionId: string, { select, filters, sort }: RowChoice): string {
  const text = JSON.stringify([
    versionId,
    select,
    filters.map(({ column, operator, value }) => [column, operator, value]),
    sort?.column,
    sort?.descending,
  ])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
