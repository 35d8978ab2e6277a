import { z } from 'zod'
import { db } from '#app/platform/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { removeFile } from '#app/storage/storage.server.ts'
import { SWEEP_JOB } from './image.ts'

const FORMATS = ['avif', 'webp']

const sweep = z.object({ id: z.string(), widths: z.array(z.number()) })

// A picture that has no row a day after it was given or removed is nobody's.
defineJob(SWEEP_JOB, sweep, async ({ id, widths }) => {
  if (await db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()) return
  for (const file of widths.flatMap((width) => FORMATS.map((format) => `${width}.${format}`))) await removeFile(`images/${id}/${file}`)
})
