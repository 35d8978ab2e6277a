import { beforeEach, describe, expect, test } from 'vitest'
import { type Role, roleOf } from '#app/auth/users/role.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { authClient, forgetLimits, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { makeOwner, makeUser, signIn } from '#test/factories.ts'
import { emailsTo, secretsOf } from '#test/emails.ts'
import { directory } from './directory.server.ts'

const app = await startApp()
const call = authClient(app)
beforeEach(async () => {
  await forgetLimits()
  await db.updateTable('installation').set({ ownerId: null }).execute()
  await db.deleteFrom('users').execute()
})

async function twoOwners() {
  const [first, second] = [await makeOwner(), await makeUser({ role: 'owner' })]
  return { first, second }
}

const roles = async () => (await db.selectFrom('users').select('appMetadata').execute()).map(({ appMetadata }) => roleOf(appMetadata))
const events = (subjectId: string) =>
  db.selectFrom('auditEvents').select(['action', 'actorId', 'detail']).where('subjectId', '=', subjectId).orderBy('id').execute()

describe('happy', () => {
  test('everyone with an account is listed, newest first, page by page', async () => {
    const made = []
    for (let day = 1; day <= 5; day += 1) made.push((await makeUser({ createdAt: new Date(2026, 0, day) })).id)
    const first = await directory.listUsers({ limit: 3 })
    const second = await directory.listUsers({ limit: 3, cursor: first.nextCursor ?? '' })
    expect([...first.users, ...second.users].map(({ id }) => id)).toEqual(made.toReversed())
    expect(second.nextCursor).toBeNull()
  })

  test('a search matches part of an address or a name, and its wildcards are literal', async () => {
    const grace = await makeUser({ userMetadata: JSON.stringify({ first_name: 'Grace', last_name: 'Hopper' }) })
    const ada = await makeUser({ email: 'ada_l@example.com' })
    const found = async (search: string) => (await directory.listUsers({ search })).users.map(({ id }) => id)
    expect(await found('race hop')).toEqual([grace.id])
    expect(await found('ADA_L@')).toEqual([ada.id])
    expect(await found('%')).toEqual([])
    const owner = await makeUser({ role: 'owner' })
    const byRole = async (role: Role, search?: string) => (await directory.listUsers({ role, search })).users.map(({ id }) => id)
    expect([await byRole('owner'), await byRole('customer'), await byRole('staff')]).toEqual([[owner.id], [ada.id, grace.id], []])
    expect(await byRole('customer', 'grace')).toEqual([grace.id])
  })

  test('a name with any content stays in its own place in the list', async () => {
    const { id } = await makeUser({
      userMetadata: JSON.stringify({ first_name: '\u202Eada\u2066', last_name: ' \n\t=1+1 ', full_name: 'x' }),
    })
    const { id: odd } = await makeUser({ userMetadata: JSON.stringify({ first_name: { a: 1 }, last_name: ['x'], full_name: 7 }) })
    expect([(await directory.findUser(id))?.name, (await directory.findUser(odd))?.name]).toEqual(['ada =1+1', null])
  })

  test('a role counts from the next request on, and the log says who gave it', async () => {
    const { user, headers } = await signIn('customer')
    const owner = await makeUser({ role: 'owner' })
    expect((await app.inject({ url: '/api/contacts', headers })).statusCode).toBe(403)
    expect((await directory.changeRole(user.id, 'staff', { id: owner.id })).role).toBe('staff')
    expect((await app.inject({ url: '/api/contacts', headers })).statusCode).toBe(200)
    expect(await events(user.id)).toEqual([{ action: 'role_changed', actorId: owner.id, detail: { from: 'customer', to: 'staff' } }])
  })

  test('a ban takes effect immediately and ends when it is lifted', async () => {
    const { user, headers } = await signIn('staff')
    const until = new Date(Date.now() + 3_600_000)
    expect((await directory.banUser(user.id, until, {})).bannedUntil).toBe(until.toISOString())
    expect((await app.inject({ url: '/api/contacts', headers })).statusCode).toBe(401)
    expect((await directory.unbanUser(user.id, {})).bannedUntil).toBeNull()
    expect((await app.inject({ url: '/api/contacts', headers })).statusCode).toBe(200)
    expect((await events(user.id)).map(({ action }) => action)).toEqual(['user_banned', 'user_unbanned'])
  })

  test('a user is signed out of one session or of all', async () => {
    const { email, password, session } = await signUpAndConfirm(app)
    await call('POST', '/token?grant_type=password', { email, password })
    const [newest, oldest] = await directory.listSessions(session.user.id)
    await directory.endSessions(session.user.id, {}, newest?.id)
    expect((await directory.listSessions(session.user.id)).map(({ id }) => id)).toEqual([oldest?.id])
    await directory.endSessions(session.user.id, {})
    expect(await directory.listSessions(session.user.id)).toEqual([])
  })

  test('an invited user chooses a password with the email link, signs in, and has the role', async () => {
    await twoOwners()
    const email = someEmail()
    const invited = await directory.inviteUser(email, 'staff', {})
    expect(invited).toMatchObject({ email, role: 'customer', invitedRole: 'staff', confirmedAt: null })
    const { link } = await secretsOf(email, 'invite')
    const page = await app.inject({ url: `/login/new-password?token_hash=${link}&type=invite` })
    expect(page.body).toContain('Choose a password')

    const payload = new URLSearchParams({ token_hash: link, password: 'a long password', confirmPassword: 'a long password' })
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    await app.inject({ method: 'POST', url: '/login/new-password', headers, payload: payload.toString() })
    const reply = await call('POST', '/token?grant_type=password', { email, password: 'a long password' })
    expect(reply.json().user.app_metadata.role).toBe('staff')
    expect((await emailsTo(email)).map(({ kind }) => kind)).toEqual(['invite'])
    expect((await events(invited.id)).map(({ action }) => action)).toContain('invite_accepted')
  })

  test('a role that the owner gives replaces the one of an open invitation', async () => {
    const owner = await makeOwner()
    const email = someEmail()
    const { id } = await directory.inviteUser(email, 'owner', { id: owner.id })
    expect(await directory.changeRole(id, 'customer', { id: owner.id })).toMatchObject({ role: 'customer', invitedRole: null })
    await call('POST', '/verify', { type: 'invite', token_hash: (await secretsOf(email, 'invite')).link })
    expect(await directory.findUser(id)).toMatchObject({ role: 'customer', isProven: true })
    expect((await events(id)).at(1)).toEqual({
      action: 'role_changed',
      actorId: owner.id,
      detail: { of: 'invitation', from: 'owner', to: 'customer' },
    })

    // A proven phone number is enough for a role, before the invitation by email is accepted.
    const byPhone = await makeUser({ emailConfirmedAt: null, phone: '4915112340009', phoneConfirmedAt: new Date() })
    await directory.inviteUser(byPhone.email ?? '', 'staff', { id: owner.id })
    await directory.changeRole(byPhone.id, 'owner', { id: owner.id })
    await call('POST', '/verify', { type: 'invite', token_hash: (await secretsOf(byPhone.email ?? '', 'invite')).link })
    expect(await directory.findUser(byPhone.id)).toMatchObject({ role: 'owner', invitedRole: null })
  })

  test('a deleted account leaves only the audit event of its deletion', async () => {
    const { user, headers } = await signIn('customer')
    await insert(db, 'avatars', { id: newId(), userId: user.id, picture: Buffer.from('picture') })
    await db.insertInto('leadSignatures').values({ userId: user.id, text: 'Ada Lovelace, +1 415 555 0100' }).execute()
    await db
      .insertInto('leadColumns')
      .values({ userId: user.id, columns: ['name'] })
      .execute()
    const view = { userId: user.id, query: 'q=ada' }
    await insert(db, 'leadViews', { ...view, name: 'Mine' })
    await insert(db, 'leadViews', { ...view, name: 'Of all', isShared: true })
    await directory.deleteUser(user.id, {})
    for (const table of ['leadSignatures', 'leadColumns'] as const)
      expect(await db.selectFrom(table).select('userId').where('userId', '=', user.id).execute()).toEqual([])
    expect(await db.selectFrom('leadViews').select('name').where('userId', '=', user.id).execute()).toEqual([{ name: 'Of all' }])
    expect(await directory.findUser(user.id)).toBeUndefined()
    expect(await db.selectFrom('avatars').selectAll().where('userId', '=', user.id).execute()).toEqual([])
    expect((await app.inject({ url: '/api/access-requests', headers })).statusCode).toBe(401)
    expect((await events(user.id)).map(({ action }) => action)).toEqual(['user_deleted'])
  })

  test('when the named owner goes, another owner takes their place', async () => {
    const { first, second } = await twoOwners()
    await directory.deleteUser(first.id, { id: second.id })
    expect(await db.selectFrom('installation').select('ownerId').execute()).toEqual([{ ownerId: second.id }])
  })
})

describe('error', () => {
  test('an invalid cursor and an unknown account are refused', async () => {
    const id = newId()
    const places = [
      ['----------', id],
      ['2026-02-31 00:00:00+00', id],
      ['2026-02-01 25:00:00+00', id],
      ['2026-02-01 00:00:00+99', id],
      ['2026-02-01 00:00:00+00', 'x'],
    ]
    for (const place of [...places.map((one) => Buffer.from(JSON.stringify(one)).toString('base64url')), 'bm9uZQ'])
      await expect(directory.listUsers({ cursor: place })).rejects.toMatchObject({ status: 400 })
    await expect(directory.changeRole(newId(), 'staff', {})).rejects.toMatchObject({ status: 404 })
  })

  test('an existing account is not invited again', async () => {
    const { email } = await makeUser()
    await expect(directory.inviteUser(email ?? '', 'staff', {})).rejects.toMatchObject({ extra: { code: 'email_exists' } })
    expect(await emailsTo(email ?? '')).toEqual([])
  })
})

describe('security', () => {
  test.each(['demoted', 'banned', 'deleted'] as const)('the last owner cannot be %s', async (what) => {
    const { first, second } = await twoOwners()
    await directory.banUser(second.id, new Date(Date.now() + 3_600_000), {})
    const acts = {
      demoted: () => directory.changeRole(first.id, 'staff', {}),
      banned: () => directory.banUser(first.id, new Date(Date.now() + 1000), {}),
      deleted: () => directory.deleteUser(first.id, {}),
    }
    await expect(acts[what]()).rejects.toMatchObject({ status: 409, extra: { code: 'last_owner' } })
    expect(await roles()).toEqual(['owner', 'owner'])
  })

  test('of two owners who remove each other at the same moment, one stays', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { first, second } = await twoOwners()
      const outcomes = await Promise.allSettled([
        directory.changeRole(first.id, 'customer', { id: second.id }),
        directory.deleteUser(second.id, { id: first.id }),
      ])
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect((await roles()).filter((role) => role === 'owner')).toHaveLength(1)
      await db.deleteFrom('users').execute()
    }
  })

  test('an invitation voids the password that a stranger had chosen for the address', async () => {
    const email = someEmail()
    await call('POST', '/signup', { email, password: 'a strangers password' })
    await directory.inviteUser(email, 'staff', {})
    const { link } = await secretsOf(email, 'invite')
    await call('POST', '/verify', { type: 'invite', token_hash: link })
    expect((await call('POST', '/token?grant_type=password', { email, password: 'a strangers password' })).statusCode).toBe(400)
  })
})
