import { z } from 'zod'
import { type Database, db, type Trx } from '#app/platform/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { removeFile } from '#app/storage/storage.server.ts'

const DAY_MS = 24 * 3_600_000
const FORMATS = ['avif', 'webp']

const sweep = z.object({ id: z.string(), widths: z.array(z.number()) })

// A picture that has no row a day after it was given or removed is nobody's.
defineJob('sweep-image', sweep, async ({ id, widths }) => {
  if (await db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()) return
  for (const file of widths.flatMap((width) => FORMATS.map((format) => `${width}.${format}`))) await removeFile(`images/${id}/${file}`)
})

export async function sweepLater(connection: Database | Trx, id: string, widths: number[]): Promise<void> {
  await enqueue(connection, { kind: 'sweep-image', payload: { id, widths }, runAt: new Date(Date.now() + DAY_MS) })
}
