import { afterAll, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, { EXTERNAL_PHONE_ENABLED: 'true', RATE_LIMITS: 'off' })
})

import { enterAs } from '#app/auth/providers/account.server.ts'
import { issueCode, newFlowId, startFlow } from '#app/auth/sessions/flow-state.server.ts'
import { closeDatabase } from '#app/platform/database/open.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, PASSWORD, someEmail } from '#test/auth.ts'
import { eventually } from '#test/eventually.ts'
import { makeUser } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'
import { onSecondConnection, untilBlocked } from '#test/second-connection.ts'
import { recoverPassword } from './recovery.server.ts'
import { confirmByLink } from './verification.server.ts'

const app = await startEndpoints()
const call = authClient(app)
startJobs()
afterAll(() => stopJobs())

const ROUNDS = 8
const client = { address: '203.0.113.9', userAgent: undefined }
const secretsTo = async (address: string) =>
  (await emailsTo(address)).map(({ data }) => ({ link: String(data.link), code: String(data.code) }))

/** A user whose phone number or email address is auto-confirmed, with several emails and messages sent to both. */
async function makeClaimed(round: number) {
  const email = someEmail()
  const phone = String(4_915_160_000_000 + round)
  const now = new Date()
  await makeUser({
    email,
    emailConfirmedAt: now,
    phone,
    phoneConfirmedAt: now,
    ...(round % 2 ? { emailAssumed: true } : { phoneAssumed: true }),
  })
  for (const body of [{ phone }, { email }]) {
    await call('POST', '/otp', body)
    await call('POST', '/signup', { ...body, password: PASSWORD })
  }
  await call('POST', '/recover', { email })
  await eventually(async () => expect((await secretsTo(email)).length).toBeGreaterThan(2))
  return { email, phone }
}

/** All parallel requests about the account, by the user and by strangers. */
async function workOn({ email, phone }: { email: string; phone: string }) {
  const codes = (await secretsTo(`${phone}@phone.localhost`)).map(({ code }) => code)
  const links = (await secretsTo(email)).map(({ link }) => link)
  const data = { email, email_verified: true }
  const external = { provider: 'github', subject: crypto.randomUUID(), email, emailVerified: true, needsEmail: true, data }
  const verify = (body: object) => async () => (await call('POST', '/verify', body)).statusCode
  const ask = (path: string, body: object) => async () => (await call('POST', path, body)).statusCode
  return [
    ...codes.map((token) => verify({ type: 'sms', phone, token })),
    ...links.flatMap((token_hash) => ['email', 'recovery'].map((type) => verify({ type, token_hash }))),
    ...links.flatMap((link) => [
      () => recoverPassword(link, 'another long password', client),
      () => confirmByLink(link, client, 'recovery'),
    ]),
    ask('/signup', { phone, password: PASSWORD }),
    ask('/signup', { email, password: PASSWORD }),
    ask('/otp', { phone }),
    ask('/otp', { email }),
    ask('/recover', { email }),
    () => enterAs(external, async () => true),
  ].toSorted(() => Math.random() - 0.5)
}

/** The server's count of deadlocks, after all connections of the product have ended and reported it. */
function countDeadlocks(): Promise<number> {
  return onSecondConnection(async (server) => {
    await eventually(async () => {
      // The server's own processes, such as autovacuum, come and go.
      const others = `SELECT pid, state, query FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
      expect((await server.query(others)).rows).toEqual([])
    })
    const { rows } = await server.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')
    return Number(rows[0].deadlocks)
  })
}

test('a code exchange waits for another change of the account, and holds no lock that blocks it', async () => {
  const { id } = await makeUser()
  const verifier = 'v'.repeat(43)
  const code = await transaction(async (trx) => {
    const flow = await startFlow(trx, { id: newFlowId(), userId: id, method: 'recovery', proof: { challenge: verifier, method: 'plain' } })
    return issueCode(trx, flow.id, id)
  })
  const exchanged = await onSecondConnection(async (other) => {
    // Less than the server's deadlock timeout.
    await other.query("SET lock_timeout = '500ms'")
    await other.query('BEGIN')
    await other.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [id])
    const exchange = call('POST', '/token?grant_type=pkce', { auth_code: code, code_verifier: verifier })
    await untilBlocked(other)
    // Deletes unused codes, as a new password does.
    expect((await other.query('DELETE FROM flow_states WHERE user_id = $1', [id])).rowCount).toBe(1)
    await other.query('COMMIT')
    return exchange
  })
  expect(exchanged.json().code).toBe('flow_state_not_found')
})

test('parallel sign-ups, links, codes, new passwords and providers of one account cause no deadlock', async () => {
  const failed: unknown[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const work = await workOn(await makeClaimed(round))
    const outcomes = await Promise.allSettled(work.map((each) => each()))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected' && !(outcome.reason instanceof Error && 'extra' in outcome.reason)) failed.push(outcome.reason)
      if (outcome.status === 'fulfilled' && Number(outcome.value) >= 500) failed.push(outcome.value)
    }
  }
  await stopJobs()
  await app.close()
  await Promise.all([closeDatabase(), closeLimits()])
  expect({ deadlocks: await countDeadlocks(), failed }).toEqual({ deadlocks: 0, failed: [] })
})
