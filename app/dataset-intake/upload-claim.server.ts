import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { db } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'

/** Longer than a request may take. */
const PIECE_SECONDS = 90
/** Hashing and moving 2 GB, also into a bucket. */
const END_SECONDS = 900

/** What this process writes just now. */
const held = new Set<string>()

/**
 * Lets one at a time write an upload: nothing when someone else does. A claim of a process that is gone ends by its time; on the embedded database, which
 * has one process, at once.
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

/** For what comes at the end of an upload; what is known by then outlives a crash. */
export async function keepClaim({ id, claimedBy }: Row<'datasetUploads'>, known: { received?: number; sha256?: string }): Promise<void> {
  await db
    .updateTable('datasetUploads')
    .set({ ...known, claimedUntil: inSeconds(END_SECONDS) })
    .where('id', '=', id)
    .where('claimedBy', '=', claimedBy)
    .execute()
}

/** Ends a claim, and keeps what has changed meanwhile; nothing where the claim has passed to another. */
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
