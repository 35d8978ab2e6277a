import { AuthClient, GoTrueAdminApi } from '@supabase/auth-js'
import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { makeServiceKey } from '#app/auth/sessions/jwt.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { makeOwner, makeUser } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'

const app = await startEndpoints()
const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
const admin = adminWith(await makeServiceKey(1))
beforeEach(async () => {
  await forgetLimits()
  await makeOwner()
})

/** The official client, unmodified. */
function adminWith(key: string) {
  return new GoTrueAdminApi({ url, headers: { Authorization: `Bearer ${key}`, apikey: key } })
}

const client = () => new AuthClient({ url, autoRefreshToken: false, persistSession: false })

describe('happy', () => {
  test('users are made, shown, changed and deleted', async () => {
    const email = someEmail()
    const made = await admin.createUser({ email, password: PASSWORD, email_confirm: true, app_metadata: { role: 'staff' } })
    const id = made.data.user?.id ?? ''
    expect(made.error).toBeNull()
    expect((await admin.getUserById(id)).data.user?.email).toBe(email)
    const changed = await admin.updateUserById(id, { user_metadata: { first_name: 'Ada' }, ban_duration: '24h' })
    expect(changed.data.user?.user_metadata).toEqual({ first_name: 'Ada', email_verified: true })
    expect((await client().signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('user_banned')
    expect((await admin.deleteUser(id)).error).toBeNull()
    expect((await admin.getUserById(id)).error).toMatchObject({ status: 404, code: 'user_not_found' })
  })

  test('pages lead on to the next and the last', async () => {
    await db.deleteFrom('users').execute()
    for (let index = 0; index < 5; index += 1) await makeUser()
    const { data } = await admin.listUsers({ page: 1, perPage: 2 })
    expect(data).toMatchObject({ aud: 'authenticated', nextPage: 2, lastPage: 3, total: 5 })
    expect(data.users).toHaveLength(2)
    expect((await admin.listUsers({ page: 3, perPage: 2 })).data).toMatchObject({ nextPage: null, lastPage: 3 })
    expect((await admin.listUsers()).data.users).toHaveLength(5)
  })

  test('links and invitations', async () => {
    const email = someEmail()
    const { data } = await admin.generateLink({ type: 'signup', email, password: PASSWORD })
    expect(data.properties?.verification_type).toBe('signup')
    expect((await client().verifyOtp({ type: 'signup', token_hash: data.properties?.hashed_token ?? '' })).data.session?.user.email).toBe(
      email,
    )
    const guest = someEmail()
    const invited = await admin.inviteUserByEmail(guest, { data: { first_name: 'Grace' }, redirectTo: 'http://localhost:3000/welcome' })
    expect(invited.data.user).toMatchObject({ email: guest, user_metadata: { first_name: 'Grace' } })
    expect((await emailsTo(guest)).map(({ kind }) => kind)).toEqual(['invite'])
  })

  test('a person is signed out by their token', async () => {
    const { session } = await signUpAndConfirm(app)
    expect((await admin.signOut(session.access_token)).error).toBeNull()
    expect((await client().getUser(session.access_token)).error?.name).toBe('AuthSessionMissingError')
  })
})

describe('error', () => {
  test('refusals come with their code', async () => {
    const { email } = await signUpAndConfirm(app)
    expect((await admin.createUser({ email })).error).toMatchObject({ status: 422, code: 'email_exists' })
    expect((await admin.inviteUserByEmail(email)).error).toMatchObject({ status: 422, code: 'email_exists' })
    expect((await admin.generateLink({ type: 'recovery', email: someEmail() })).error).toMatchObject({
      status: 404,
      code: 'user_not_found',
    })
    expect((await admin.updateUserById(newId(), { email_confirm: true })).error).toMatchObject({ status: 404, code: 'user_not_found' })
    expect((await admin.oauth.listClients()).error).toMatchObject({ status: 404, code: 'not_found' })
  })
})

describe('security', () => {
  test('the token of a person is no key', async () => {
    const { session } = await signUpAndConfirm(app)
    const person = adminWith(session.access_token)
    expect((await person.listUsers()).error).toMatchObject({ status: 403, code: 'not_admin' })
    expect((await person.createUser({ email: someEmail() })).error).toMatchObject({ status: 403, code: 'not_admin' })
    expect((await adminWith('').listUsers()).error).toMatchObject({ status: 401, code: 'no_authorization' })
  })
})
