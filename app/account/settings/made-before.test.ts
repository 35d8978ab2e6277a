import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { renderEmail } from '#app/mail/render.server.tsx'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { authClient, forgetLimits, someEmail } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { emailsTo, secretsSoon } from '#test/emails.ts'
import { signIn } from '#test/factories.ts'

const app = await startApp()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

const FRESH = 'chosen by the owner again'

/** An owner in whose name an intruder has invited a person, made a key and a webhook, and signed in. */
async function intruded() {
  const email = someEmail()
  const { user, headers } = await signIn('owner', { email, passwordHash: 'a hash' })
  const guest = someEmail()
  const invited = await app.inject({ method: 'POST', url: '/api/admin/users/invite', headers, payload: { email: guest, role: 'staff' } })
  expect(invited.statusCode).toBeLessThan(300)
  const webhook = await app.inject({
    method: 'POST',
    url: '/api/webhooks',
    headers,
    payload: { label: 'Copies of everything', format: 'standard', url: 'https://intruder.example/hook', events: ['lead.created'] },
  })
  expect(webhook.statusCode).toBe(201)
  const id = newId()
  const key = { keyHash: randomBytes(32).toString('hex'), prefix: 'wn_intruder', name: 'Night job', monthlyQuota: 1000 }
  await insert(db, 'apiKeys', { id, countedAs: id, userId: user.id, organizationId: user.id, ...key })
  return { email, guest, headers }
}

async function recover(email: string, more: Record<string, string> = {}) {
  await call('POST', '/recover', { email })
  const { link } = await secretsSoon(email, 'reset-password')
  const fields = { token_hash: link, password: FRESH, confirmPassword: FRESH, ...more }
  expect((await browser(app).post(`/login/new-password?token_hash=${link}`, fields)).statusCode).toBe(302)
}

const accountOf = async (from: ReturnType<typeof browser>) => (await from.send({ url: '/api/account' })).json()

describe('happy', () => {
  test('after a recovery, sessions from before have ended, and the email and the account list what was made before', async () => {
    const { email, guest, headers } = await intruded()
    await recover(email, { offered: 'keys' })
    expect((await app.inject({ url: '/api/account', headers })).statusCode).toBe(401)
    const sent = (await emailsTo(email)).findLast(({ kind }) => kind === 'password-changed')
    const { text } = await renderEmail('password-changed', JSON.stringify(sent?.data))
    for (const made of [`Invited account: ${guest}`, 'Webhook: Copies of everything', 'Night job']) expect(text).toContain(made)

    const from = browser(app)
    await from.post('/login', { form: 'sign-in', email, password: FRESH })
    const { madeBefore } = await accountOf(from)
    expect(madeBefore).toMatchObject({
      invited: [{ email: guest }],
      keys: [{ name: 'Night job', prefix: 'wn_intruder' }],
      webhooks: [{ label: 'Copies of everything' }],
    })

    const remove = (url: string) => from.send({ method: 'DELETE', url })
    expect((await remove(`/api/admin/users/${madeBefore.invited[0].id}`)).statusCode).toBe(204)
    expect((await remove(`/api/keys/${madeBefore.keys[0].id}`)).statusCode).toBe(204)
    expect((await remove(`/api/webhooks/${madeBefore.webhooks[0].id}`)).statusCode).toBe(204)
    expect((await accountOf(from)).madeBefore).toBeNull()
  })
})

describe('security', () => {
  test('what was made after the recovery is not listed, and neither is anything before a first recovery', async () => {
    const { headers } = await intruded()
    expect((await app.inject({ url: '/api/account', headers })).json().madeBefore).toBeNull()
  })
})
