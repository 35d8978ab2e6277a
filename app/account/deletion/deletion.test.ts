import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits } from '#test/auth.ts'
import { eventually } from '#test/eventually.ts'
import { makeApiKey, makeContact, makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'
import { requestDeletion } from './deletion.server.ts'

const app = await startApp()
beforeEach(async () => {
  await forgetLimits()
  await db.updateTable('users').set({ appMetadata: '{}' }).execute()
})
afterEach(async () => stopJobs())

const DAY_MS = 24 * 3_600_000
const URL = '/api/account/deletion'
const ask = ({ headers, user }: SignedIn, confirm = user.email ?? '') =>
  app.inject({ method: 'POST', url: URL, headers, payload: { confirm } })
const keep = ({ headers }: SignedIn) => app.inject({ method: 'DELETE', url: URL, headers })
const kindsTo = async ({ user }: SignedIn) => (await emailsTo(user.email ?? '')).map(({ kind }) => kind)
const find = (id: string) => db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
const events = async (id: string) =>
  (await db.selectFrom('auditEvents').select('action').where('subjectId', '=', id).orderBy('id').execute()).map(({ action }) => action)

/** Simulates fourteen days and a restart of the process in between. */
async function waitFourteenDays() {
  const past = new Date(Date.now() - 1000)
  await db.updateTable('accountDeletions').set({ dueAt: past }).execute()
  await db.updateTable('jobs').set({ runAt: past }).where('kind', '=', 'account-deletion').where('doneAt', 'is', null).execute()
  startJobs()
  await eventually(async () => {
    const waiting = await db.selectFrom('jobs').select('id').where('kind', '=', 'account-deletion').where('doneAt', 'is', null).execute()
    expect(waiting).toEqual([])
  })
}

describe('happy', () => {
  test('the page, an email and a notice on every page name the day, and nothing is deleted yet', async () => {
    const person = await signIn()
    const reply = await ask(person, ` ${person.user.email?.toUpperCase()} `)
    expect(reply.statusCode).toBe(200)
    const { dueAt } = reply.json()
    expect(Math.abs(Date.parse(dueAt) - Date.now() - 14 * DAY_MS)).toBeLessThan(60_000)
    expect((await app.inject({ url: URL, headers: person.headers })).json()).toEqual({ dueAt })
    expect(await emailsTo(person.user.email ?? '')).toEqual([{ kind: 'deletion-asked', data: { at: dueAt } }])
    expect((await app.inject({ url: '/dashboard', headers: person.headers })).body).toContain('Keep my account')
    expect(await find(person.user.id)).toBeDefined()
  })

  test('an account without an address confirms with its phone number, in any notation', async () => {
    for (const confirm of ['4915112340001', '+49 151 12340002', '+1 (415) 555-0103']) {
      const person = await signIn('customer', { email: null, phone: confirm.replaceAll(/\D/g, ''), phoneConfirmedAt: new Date() })
      expect((await ask(person, confirm)).statusCode).toBe(200)
    }
    const other = await ask(await signIn('customer', { email: null, phone: '4915112340003' }), '+49 151 12340004')
    expect([other.statusCode, other.json().detail]).toEqual([422, 'This is not the phone number of your account.'])
  })

  test('a second request keeps the first day and sends no second email', async () => {
    const person = await signIn()
    const first = (await ask(person)).json()
    expect((await ask(person)).json()).toEqual(first)
    expect(await kindsTo(person)).toEqual(['deletion-asked'])
  })

  test('a canceled deletion does nothing when the day passes', async () => {
    const person = await signIn()
    await ask(person)
    expect((await keep(person)).json()).toEqual({ dueAt: null })
    await waitFourteenDays()
    expect(await find(person.user.id)).toBeDefined()
    expect(await kindsTo(person)).toEqual(['deletion-asked'])
    expect(await events(person.user.id)).toEqual(['account_deletion_requested', 'account_deletion_taken_back'])
    expect((await app.inject({ url: '/dashboard', headers: person.headers })).body).not.toContain('Keep my account')
  })

  test('on the day the account and its data are deleted, its enquiries remain, and a last email says so', async () => {
    const person = await signIn()
    const { id, email } = person.user
    await insert(db, 'avatars', { id: newId(), userId: id, picture: Buffer.from('picture') })
    await insert(db, 'auditEvents', { action: 'login', actorId: id, subjectId: id, address: '192.0.2.7' })
    const contact = await makeContact({ email: email ?? '' })
    const { id: productId } = await makeProduct()
    await insert(db, 'entitlements', { userId: id, organizationId: id, productId, grantedBy: newId() })
    await insert(db, 'productRequests', { userId: id, organizationId: id, productId })
    await insert(db, 'downloads', { userId: id, organizationId: id, productId, type: 'file' })
    await makeApiKey(id)
    await ask(person)
    await waitFourteenDays()

    expect(await find(id)).toBeUndefined()
    const ofAccount = ['sessions', 'avatars', 'accountDeletions', 'identities'] as const
    for (const table of [...ofAccount, 'entitlements', 'productRequests', 'downloads', 'apiKeys'] as const) {
      expect(await db.selectFrom(table).select('userId').where('userId', '=', id).execute()).toEqual([])
    }
    expect(await db.selectFrom('contacts').select('id').where('id', '=', contact.id).execute()).toHaveLength(1)
    expect(await events(id)).toContain('user_deleted')
    expect(await db.selectFrom('auditEvents').select('id').where('actorId', '=', id).where('address', 'is not', null).execute()).toEqual([])
    expect(await kindsTo(person)).toEqual(['deletion-asked', 'account-deleted'])
    expect((await app.inject({ url: '/api/account', headers: person.headers })).statusCode).toBe(401)
  })

  test('an owner can leave while another one remains, who then owns the installation', async () => {
    const [first, second] = [await signIn('owner'), await signIn('owner')]
    await db.updateTable('installation').set({ ownerId: first.user.id }).execute()
    expect((await ask(first)).statusCode).toBe(200)
    await waitFourteenDays()
    expect(await find(first.user.id)).toBeUndefined()
    expect(await db.selectFrom('installation').select('ownerId').execute()).toEqual([{ ownerId: second.user.id }])
  })
})

describe('error', () => {
  test('another person’s address confirms nothing', async () => {
    const person = await signIn()
    for (const confirm of ['', 'someone@example.com']) {
      const reply = await ask(person, confirm)
      expect([reply.statusCode, reply.json().detail]).toEqual([422, 'This is not the address of your account.'])
    }
    expect((await app.inject({ url: URL, headers: person.headers })).json()).toEqual({ dueAt: null })
  })

  test('without a request there is nothing to cancel', async () => {
    expect((await keep(await signIn())).statusCode).toBe(409)
  })

  test('the last owner cannot ask; an owner who is leaving or suspended does not count as another one', async () => {
    const [first, second] = [await signIn('owner'), await signIn('owner')]
    expect((await ask(second)).statusCode).toBe(200)
    const refused = await ask(first)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'last_owner'])
    await keep(second)
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date(Date.now() + DAY_MS) })
      .where('id', '=', second.user.id)
      .execute()
    expect((await ask(first)).statusCode).toBe(409)
  })

  test('an owner who leaves does not count when another one is to be demoted', async () => {
    const [first, second] = [await signIn('owner'), await signIn('owner')]
    await ask(first)
    const refused = { status: 409, extra: { code: 'last_owner' } }
    await expect(directory.changeRole(second.user.id, 'staff', {})).rejects.toMatchObject(refused)
    await keep(first)
    expect((await directory.changeRole(second.user.id, 'staff', {})).role).toBe('staff')
  })

  test('an owner who became the last one in the meantime is not deleted, and an email says why', async () => {
    const [first, second] = [await signIn('owner'), await signIn('owner')]
    await ask(first)
    await db.updateTable('users').set({ appMetadata: '{}' }).where('id', '=', second.user.id).execute()
    await waitFourteenDays()
    expect(await find(first.user.id)).toBeDefined()
    expect(await kindsTo(first)).toEqual(['deletion-asked', 'deletion-refused'])
  })
})

describe('security', () => {
  test('strangers ask, read and keep nothing', async () => {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      expect(
        (await app.inject({ method, url: URL, ...(method === 'POST' && { payload: { confirm: 'ada@example.com' } }) })).statusCode,
      ).toBe(401)
    }
  })

  test('one person’s request affects no one else', async () => {
    const [one, other] = [await signIn(), await signIn()]
    await ask(one)
    expect((await ask(one, other.user.email ?? '')).statusCode).toBe(422)
    expect((await app.inject({ url: URL, headers: other.headers })).json()).toEqual({ dueAt: null })
    expect((await keep(other)).statusCode).toBe(409)
    await waitFourteenDays()
    expect(await find(other.user.id)).toBeDefined()
  })

  test('two owners who ask at the same moment: one of them stays', async () => {
    for (let round = 0; round < 3; round += 1) {
      await db.deleteFrom('users').execute()
      const [first, second] = [await signIn('owner'), await signIn('owner')]
      const statuses = (await Promise.all([ask(first), ask(second)])).map(({ statusCode }) => statusCode)
      expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409])
    }
  })

  test('an owner who asks while the other one is demoted: one of them stays', async () => {
    for (let round = 0; round < 3; round += 1) {
      await db.deleteFrom('users').execute()
      await db.deleteFrom('accountDeletions').execute()
      const [first, second] = [await signIn('owner'), await signIn('owner')]
      const outcomes = await Promise.allSettled([
        requestDeletion(first.user.id, { confirm: first.user.email ?? '' }),
        directory.changeRole(second.user.id, 'staff', {}),
      ])
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    }
  })
})
