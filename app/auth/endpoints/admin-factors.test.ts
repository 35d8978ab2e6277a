import { beforeEach, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { adminClient } from '#test/admin.ts'
import { authClient, bearer, forgetLimits, signUpAndConfirm } from '#test/auth.ts'
import { makeUser } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'
import { factorClient } from '#test/mfa.ts'

const app = await startEndpoints()
const call = authClient(app)
const admin = await adminClient(app)
const { begin, finish } = factorClient(app)
beforeEach(forgetLimits)

test('factors are listed as a bare list, without their secrets, and with their user', async () => {
  const { session } = await signUpAndConfirm(app)
  const path = `/admin/users/${session.user.id}/factors`
  expect((await admin('GET', path)).json()).toEqual([])
  const { id, secret } = await begin(session)
  const listed = await admin('GET', path)
  expect(listed.json()).toMatchObject([{ id, status: 'unverified', friendly_name: 'Phone', factor_type: 'totp', phone: null }])
  expect(listed.body).not.toContain(secret)
  expect((await admin('GET', `/admin/users/${session.user.id}`)).json().factors).toHaveLength(1)
  expect((await admin('GET', `/admin/users?filter=${session.user.email}`)).json().users[0].factors).toHaveLength(1)
})

test('an administrator removes a lost second factor: its sessions lose their level, and the user gets an email', async () => {
  const { session, email } = await signUpAndConfirm(app)
  const { factor, session: raised } = await finish(session)
  const reply = await admin('DELETE', `/admin/users/${session.user.id}/factors/${factor.id}`)
  expect(reply.json()).toMatchObject({ id: factor.id, status: 'verified' })
  expect(await db.selectFrom('sessions').select('aal').where('userId', '=', session.user.id).execute()).toEqual([{ aal: 'aal1' }])
  expect((await call('GET', '/user', undefined, bearer(raised))).json().factors).toBeUndefined()
  expect((await emailsTo(email)).map(({ kind }) => kind)).toContain('factor-removed')
  const events = await db.selectFrom('auditEvents').select(['action', 'actorId']).where('subjectId', '=', session.user.id).execute()
  expect(events).toContainEqual({ action: 'factor_deleted', actorId: null })
})

test('a factor is renamed, but not to the name of another, and a number belongs to a phone', async () => {
  const { session } = await signUpAndConfirm(app)
  const [first, second] = [await begin(session, 'One'), await begin(session, 'Two')]
  const path = `/admin/users/${session.user.id}/factors/${second.id}`
  expect((await admin('PUT', path, { friendly_name: 'Three' })).json()).toMatchObject({ id: second.id, friendly_name: 'Three' })
  const taken = await admin('PUT', path, { friendly_name: 'One' })
  expect([taken.statusCode, taken.json().code]).toEqual([422, 'mfa_factor_name_conflict'])
  for (const body of [{ phone: '4912345' }, { phone: '0' }, { friendly_name: 'x'.repeat(101) }]) {
    const reply = await admin('PUT', path, body)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'validation_failed'])
  }
  expect(first.id).not.toBe(second.id)
})

test('what is not there is not found, nor what is another user’s', async () => {
  const { session } = await signUpAndConfirm(app)
  const { id } = await begin(session)
  const other = await makeUser()
  const answers = [
    [`/admin/users/ada/factors/${id}`, 'validation_failed'],
    [`/admin/users/${newId()}/factors/${id}`, 'user_not_found'],
    [`/admin/users/${session.user.id}/factors/1`, 'validation_failed'],
    [`/admin/users/${session.user.id}/factors/${newId()}`, 'mfa_factor_not_found'],
    [`/admin/users/${other.id}/factors/${id}`, 'mfa_factor_not_found'],
  ] as const
  for (const [path, code] of answers) {
    for (const method of ['PUT', 'DELETE'] as const) {
      const reply = await admin(method, path, method === 'PUT' ? { friendly_name: 'x' } : undefined)
      expect([reply.statusCode, reply.json().code]).toEqual([404, code])
    }
  }
  expect((await admin('GET', `/admin/users/${newId()}/factors`)).json().code).toBe('user_not_found')
})
