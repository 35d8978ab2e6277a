import { db } from '#app/platform/db.server.ts'

/** How many enquiries are kept aside for a person to decide. */
export async function countQuarantine(): Promise<number> {
  const { count } = await db
    .selectFrom('contacts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('quarantinedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}
