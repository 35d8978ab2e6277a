import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'

const told = z.looseObject({ link: z.string() })

/** What people are told and leads to this page, in its order. */
export async function toldOf(link: string) {
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.tell').orderBy('id').execute()
  return jobs.map(({ payload }) => told.parse(payload)).filter((each) => each.link === link)
}
