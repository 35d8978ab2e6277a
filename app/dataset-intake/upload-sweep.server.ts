import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { z } from 'zod'
import { db } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'

const STALE_DAYS = 2
const DAY_MS = 24 * 3_600_000

/** What nobody has sent a piece of for so long, and what a process that was killed has left of reading files. */
export async function sweepUploads(): Promise<void> {
  await db
    .deleteFrom('datasetUploads')
    .where('updatedAt', '<', sql<Date>`now() - ${STALE_DAYS} * interval '1 day'`)
    .execute()
  const folder = path.resolve(env.DATA_DIR, 'unfinished')
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => /^(upload|reading)-/.test(each))) {
    const place = path.join(folder, name)
    const left = await stat(place).catch(() => undefined)
    if (left && Date.now() - left.mtimeMs > STALE_DAYS * DAY_MS) await rm(place, { recursive: true, force: true })
  }
}

defineJob('datasets.uploads.sweep', z.null(), sweepUploads, { every: 'day' })
