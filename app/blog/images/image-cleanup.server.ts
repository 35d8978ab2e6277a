import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { removeFile } from '#app/platform/storage/storage.server.ts'
import { IMAGE_CLEANUP_JOB } from './image.ts'

const FORMATS = ['avif', 'webp']

const cleanup = z.object({ id: z.string(), widths: z.array(z.number()) })

// Deletes the files of an image that has no row a day after its upload or deletion.
defineJob(IMAGE_CLEANUP_JOB, cleanup, async ({ id, widths }) => {
  if (await db.selectFrom('images').select('id').where('id', '=', id).executeTakeFirst()) return
  for (const file of widths.flatMap((width) => FORMATS.map((format) => `${width}.${format}`))) await removeFile(`images/${id}/${file}`)
})
