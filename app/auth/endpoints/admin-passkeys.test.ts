import { beforeEach, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { adminClient } from '#test/admin.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits, signUpAndConfirm } from '#test/auth.ts'
import { emailsTo } from '#test/emails.ts'
import { passkeyClient } from '#test/passkeys.ts'

const app = await startEndpoints()
const admin = await adminClient(app)
const { register, enter } = passkeyClient(app)
beforeEach(forgetLimits)

test('an admin program lists a user’s passkeys and removes one, and the user gets an email', async () => {
  const { session, email } = await signUpAndConfirm(app)
  const { device, passkey } = await register(session)
  const path = `/admin/users/${session.user.id}/passkeys`
  const listed = await admin('GET', path)
  expect(listed.json()).toMatchObject([{ id: passkey.id, friendly_name: passkey.friendly_name }])
  expect(listed.body).not.toMatch(/public_?key|credential/i)
  expect((await admin('DELETE', `${path}/${passkey.id}`)).statusCode).toBe(204)
  expect((await admin('DELETE', `${path}/${passkey.id}`)).statusCode).toBe(404)
  expect((await enter(device)).statusCode).toBe(400)
  expect((await emailsTo(email)).map(({ kind }) => kind)).toContain('passkey-removed')
  const events = await db.selectFrom('auditEvents').select(['action', 'actorId']).where('subjectId', '=', session.user.id).execute()
  expect(events).toContainEqual({ action: 'passkey_deleted', actorId: null })
})

test('a passkey of another user is not found under this one', async () => {
  const [mine, theirs] = [(await signUpAndConfirm(app)).session, (await signUpAndConfirm(app)).session]
  const { passkey } = await register(theirs)
  for (const id of [passkey.id, newId(), 'x'])
    expect((await admin('DELETE', `/admin/users/${mine.user.id}/passkeys/${id}`)).statusCode).toBe(404)
})
