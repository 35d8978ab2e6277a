import { newId, type Trx } from '#app/platform/database/db.server.ts'

/**
 * Finds or adds the person of an address; a merged one is the person that it was merged into. A later message does not rename the person:
 * anyone can type any address. Without an address, it is a new person.
 */
export async function attachPerson(trx: Trx, { email, name }: { email: string; name: string }): Promise<{ id: string }> {
  return trx
    .insertInto('people')
    .values({ id: newId(), email: email || null, name })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ updatedAt: new Date() }))
    .returning((row) => row.fn.coalesce('people.mergedInto', 'people.id').as('id'))
    .executeTakeFirstOrThrow()
}
