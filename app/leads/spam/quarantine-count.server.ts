import { db } from '#app/platform/database/db.server.ts'

export async function countQuarantine(): Promise<number> {
  const { count } = await db
    .selectFrom('contacts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('quarantinedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}
