import { beforeEach, expect, test } from 'vitest'
import { requestDeletion } from '#app/account/deletion/deletion.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startEndpoints } from '#test/app.ts'
import { emailsTo } from '#test/emails.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { codeOf, eventsOf, join, runJob, organizationsOf } from '#test/organizations.ts'

const app = await startEndpoints()
const { call, found } = organizationsOf(app)
beforeEach(closeLimits)

const URL = '/api/account/deletion'
const ask = (who: SignedIn) => call(who, 'POST', URL, { confirm: who.user.email })
const remains = async (who: SignedIn) =>
  (await db.selectFrom('users').select('id').where('id', '=', who.user.id).executeTakeFirst()) !== undefined

async function fallDue(who: SignedIn) {
  await db
    .updateTable('accountDeletions')
    .set({ dueAt: new Date(Date.now() - 1000) })
    .where('userId', '=', who.user.id)
    .execute()
  await runJob('account-deletion', { userId: who.user.id })
}

test('the only admin of a company is asked who follows, or closes it', async () => {
  const admin = await signIn()
  const [{ id }, other] = [await found(admin), await found(admin, { name: 'Beta Foods' })]
  const sentence = 'You are the only admin of Acme Retail and Beta Foods. Make someone else an admin, or close the organization first.'
  const refused = await ask(admin)
  expect([refused.statusCode, codeOf(refused), refused.json().detail]).toEqual([409, 'last_admin', sentence])
  expect((await call(admin, 'GET', URL)).json()).toMatchObject({ dueAt: null, obstacle: { sentence, path: '/account/organization' } })
  const follower = await join(id, 'admin')
  await call(admin, 'DELETE', `/api/organizations/${other.id}`)
  expect((await call(admin, 'GET', URL)).json()).toEqual({ dueAt: null })
  expect((await ask(admin)).statusCode).toBe(200)
  // A person who is leaving cannot take over.
  expect(codeOf(await ask(follower))).toBe('last_admin')
  await fallDue(admin)
  expect(await remains(admin)).toBe(false)
  const members = await db.selectFrom('organizationMembers').select('userId').where('organizationId', '=', id).execute()
  expect(members).toEqual([{ userId: follower.user.id }])
})

test('whoever became the only admin in the meantime is not deleted, and an email says why', async () => {
  const admin = await signIn()
  const { id } = await found(admin)
  const follower = await join(id, 'admin')
  await ask(admin)
  await db.deleteFrom('organizationMembers').where('userId', '=', follower.user.id).where('organizationId', '=', id).execute()
  await fallDue(admin)
  expect(await remains(admin)).toBe(true)
  const [, email] = await emailsTo(admin.user.email ?? '')
  expect(email).toMatchObject({ kind: 'deletion-refused', data: { path: '/account/organization' } })
  expect(await eventsOf(admin.user.id)).toContain('account_deletion_refused')
})

test('of two admins who ask at the same moment, one stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const one = await signIn()
    const { id } = await found(one)
    const other = await join(id, 'admin')
    const asked = [one, other].map(({ user }) => requestDeletion(user.id, { confirm: user.email ?? '' }))
    expect((await Promise.allSettled(asked)).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  }
})
