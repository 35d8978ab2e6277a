import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'

/** Longer than the request timeout. */
const PIECE_SECONDS = 90
/** Hashing and moving 2 GB, also to a bucket. */
const END_SECONDS = 900

/** Uploads that this process is writing. */
const held = new Set<string>()

/**
 * Claims an upload for writing; undefined if someone else has it. A claim of a dead process expires; the embedded database has only one
 * process, so there it ends immediately.
 */
export async function claimUpload(id: string): Promise<Row<'datasetUploads'> | undefined> {
  const claim = randomUUID()
  held.add(claim)
  const live = [...held]
  const free = sql<boolean>`(claimed_until IS NULL OR claimed_until < now() ${env.DATABASE_URL ? sql`` : sql`OR NOT (claimed_by = ANY (${live}::uuid[]))`})`
  const row = await db
    .updateTable('datasetUploads')
    .set({ claimedBy: claim, claimedUntil: inSeconds(PIECE_SECONDS) })
    .where('id', '=', id)
    .where('versionId', 'is', null)
    .where(free)
    .returningAll()
    .executeTakeFirst()
  if (!row) held.delete(claim)
  return row
}

/** Extends a claim for the final steps; the stored results survive a crash. */
export async function keepClaim({ id, claimedBy }: Row<'datasetUploads'>, known: { received?: number; sha256?: string }): Promise<void> {
  await db
    .updateTable('datasetUploads')
    .set({ ...known, claimedUntil: inSeconds(END_SECONDS) })
    .where('id', '=', id)
    .where('claimedBy', '=', claimedBy)
    .execute()
}

/** Releases a claim and stores the changes; undefined if someone else has the claim now. */
export async function endClaim(
  { id, claimedBy }: Row<'datasetUploads'>,
  changes: { received?: number; versionId?: string } = {},
): Promise<void> {
  if (claimedBy) held.delete(claimedBy)
  await db
    .updateTable('datasetUploads')
    .set({ ...changes, claimedBy: null, claimedUntil: null, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('claimedBy', '=', claimedBy)
    .execute()
}

function inSeconds(seconds: number) {
  return sql<Date>`now() + ${seconds} * interval '1 second'`
}
