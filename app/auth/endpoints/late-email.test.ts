import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'

const server = await vi.hoisted(async () => {
  const { openMailServer } = await import('#test/mail-server.ts')
  const opened = await openMailServer()
  process.env.SMTP_URL = opened.url
  return opened
})

import { lifeSeconds } from '#app/auth/tokens/token-life.server.ts'
import { closeTransport } from '#app/mail/transport.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits } from '#test/enquiries.ts'
import { eventually } from '#test/eventually.ts'
import { makeUser, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
const ada = 'ada@late.example'
await makeUser({ email: ada })

beforeEach(async () => {
  await forgetLimits()
  await db.deleteFrom('jobs').execute()
  Object.assign(server, { answer: 450, because: 'Try again later' })
  server.received.splice(0)
})
afterEach(async () => {
  vi.useRealTimers()
  await stopJobs()
})
afterAll(async () => {
  closeTransport()
  await server.close()
})

const emails = async (query = ''): Promise<{ to: string; state: string; reason: string | null; subject: string }[]> =>
  (await app.inject({ url: `/api/letters${query}`, headers: staff.headers })).json()
const findState = async () => (await emails()).find(({ to }) => to === ada)

/** Ada asks for an email, about a new password if no other, while the mail server is busy, and it accepts emails again so many seconds later. */
async function askAndWait(seconds: number, request = 'recover') {
  startJobs()
  await app.inject({ method: 'POST', url: `/auth/v1/${request}`, payload: { email: ada } })
  await eventually(async () => expect(await findState()).toMatchObject({ reason: 'The mail server rejected this email for now (450).' }))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
  server.answer = 'take'
  await db
    .updateTable('jobs')
    .set({ runAt: new Date(0) })
    .where('doneAt', 'is', null)
    .execute()
  const isOpen = db.selectFrom('jobs').select('id').where('kind', '=', 'letter').where('doneAt', 'is', null)
  await eventually(async () => expect(await isOpen.execute()).toEqual([]))
  vi.useRealTimers()
}

test('an email is not sent once its link has expired: it ends as expired, which staff see, and its link is deleted', async () => {
  await askAndWait(lifeSeconds.link + 1)
  expect(await findState()).toMatchObject({ state: 'expired' })
  expect(server.received).toEqual([])
  expect(await emails('?state=expired')).toMatchObject([{ to: ada, subject: 'Choose a new password', reason: null }])
  expect(await emails('?state=sent')).toEqual([])
  expect(JSON.stringify(await db.selectFrom('jobs').select('payload').where('kind', '=', 'letter').execute())).not.toContain('sealed')
})

test.each(['recover', 'otp'])('an email whose code has expired is sent with its link alone: %s', async (request) => {
  await askAndWait(lifeSeconds.code + 1, request)
  expect(await findState()).toMatchObject({ state: 'sent' })
  expect(server.received[0]?.text).toMatch(/token_hash=/)
  expect(server.received[0]?.text).not.toMatch(/\b\d{6}\b|code/)
})

test('an email that is sent in time has both', async () => {
  await askAndWait(1)
  expect(await findState()).toMatchObject({ state: 'sent' })
  expect(server.received[0]?.text).toMatch(/token_hash=[^]*\b\d{6}\b/)
})
