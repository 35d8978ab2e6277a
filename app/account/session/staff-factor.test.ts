import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openKey } from '#app/data-api/keys/key-holder.server.ts'
import { newKey } from '#app/data-api/keys/key-text.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { startApp } from '#test/app.ts'
import { makeUser, signIn, type SignedIn } from '#test/factories.ts'

const app = await startApp()

const ask = ({ headers }: SignedIn, url = '/api/contacts') => app.inject({ url, headers })
/** Simulates a role that was given so many days ago. */
const since = ({ user }: SignedIn, days: number) =>
  sql`UPDATE users SET staff_since = now() - ${days} * interval '1 day' WHERE id = ${user.id}`.execute(db)
const enrol = ({ user }: SignedIn) =>
  insert(db, 'mfaFactors', { userId: user.id, factorType: 'phone', phone: `49151${Date.now() % 10_000_000}`, status: 'verified' })
const sinceOf = async (id: string) =>
  (await db.selectFrom('users').select('staffSince').where('id', '=', id).executeTakeFirst())?.staffSince

describe('happy', () => {
  test('for seven days after getting the role everything is open, and each page says until when', async () => {
    const person = await signIn('staff')
    await since(person, 6)
    expect((await ask(person)).statusCode).toBe(200)
    const page = (await ask(person, '/dashboard')).body
    expect(page).toContain('Set up two-factor authentication by')
    expect(page).toContain('href="/account/security#two-step"')
  })

  test('enrollment after the deadline restores the rights with the next request', async () => {
    const person = await signIn('owner')
    await since(person, 8)
    expect((await ask(person)).statusCode).toBe(403)
    await enrol(person)
    await db.updateTable('sessions').set({ aal: 'aal2' }).where('id', '=', person.session.id).execute()
    expect((await ask(person)).statusCode).toBe(200)
    expect((await ask(person, '/dashboard')).body).not.toContain('two-factor authentication')
  })

  test('the days count from the role, whatever gave it, and begin again only after it was lost', async () => {
    const user = await makeUser()
    expect(await sinceOf(user.id)).toBeNull()
    await directory.changeRole(user.id, 'staff', {})
    const began = await sinceOf(user.id)
    expect(began).toBeInstanceOf(Date)
    await directory.changeRole(user.id, 'owner', {})
    expect(await sinceOf(user.id)).toEqual(began)
    await db.updateTable('users').set({ appMetadata: '{}' }).where('id', '=', user.id).execute()
    expect(await sinceOf(user.id)).toBeNull()
    await sql`UPDATE users SET app_metadata = '{"role":"staff"}' WHERE id = ${user.id}`.execute(db)
    expect(await sinceOf(user.id)).not.toEqual(began)
  })

  test('customers are asked for nothing, and a setting asks nobody', async () => {
    const [customer, person] = [await signIn(), await signIn('staff')]
    await since(customer, 100)
    await since(person, 100)
    expect((await ask(customer, '/api/account')).statusCode).toBe(200)
    const required = env.MFA_REQUIRED_FOR_STAFF
    Object.assign(env, { MFA_REQUIRED_FOR_STAFF: false })
    const reply = await ask(person)
    Object.assign(env, { MFA_REQUIRED_FOR_STAFF: required })
    expect(reply.statusCode).toBe(200)
  })
})

describe('security', () => {
  test('after seven days without it the server refuses what is for staff and says why; pages lead to the enrolment', async () => {
    for (const role of ['staff', 'owner'] as const) {
      const person = await signIn(role)
      await since(person, 7.1)
      const reply = await ask(person)
      expect([reply.statusCode, reply.json()]).toEqual([
        403,
        expect.objectContaining({ code: 'second_factor_required', detail: expect.stringContaining('/account/security') }),
      ])
      const page = await ask(person, role === 'owner' ? '/admin/users' : '/admin/blog')
      expect([page.statusCode, page.headers.location]).toEqual([302, '/account/security#two-step'])
      const security = await ask(person, '/account/security')
      expect(security.statusCode).toBe(200)
      expect(security.body).toContain('Your staff access is paused')
      expect((await ask(person, '/api/account')).json().role).toBe('customer')
    }
  })

  test('their API keys open no more than those of a customer meanwhile', async () => {
    const person = await signIn('staff')
    const { text, prefix, hash } = newKey()
    const id = newId()
    await insert(db, 'apiKeys', {
      id,
      countedAs: id,
      userId: person.user.id,
      organizationId: person.user.id,
      name: 'Mine',
      prefix,
      keyHash: hash,
      monthlyQuota: 1000,
    })
    expect((await openKey(text, '127.0.0.1')).owner.role).toBe('staff')
    await since(person, 8)
    expect((await openKey(text, '127.0.0.1')).owner.role).toBe('customer')
  })
})
