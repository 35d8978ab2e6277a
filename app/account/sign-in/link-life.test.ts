import { afterAll, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.MAILER_OTP_EXP = '600'
})

import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { renderEmail } from '#app/mail/render.server.tsx'
import { startApp } from '#test/app.ts'
import { authClient, forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { emailsTo } from '#test/emails.ts'
import { eventually } from '#test/eventually.ts'

const app = await startApp()
startJobs()
afterAll(() => stopJobs())

test('emails show the configured life of their link and code', async () => {
  const call = authClient(app)
  const { email } = await signUpAndConfirm(app)
  await forgetLimits()
  await call('POST', '/signup', { email, password: PASSWORD })
  await call('POST', '/recover', { email })
  await eventually(async () => expect((await emailsTo(email)).map(({ kind }) => kind)).toContain('reset-password'))

  const rendered = (await emailsTo(email)).map(
    async ({ kind, data }) => [kind, (await renderEmail(kind, JSON.stringify(data))).text] as const,
  )
  const texts = Object.fromEntries((await Promise.all(rendered)).map(([kind, text]) => [kind, text.replaceAll(/\s+/g, ' ')]))
  expect(texts).toEqual({
    'confirm-address': expect.stringContaining('works once, within 10 minutes. The code works for 10 minutes.'),
    'existing-account': expect.stringContaining('works once, within 10 minutes.'),
    'reset-password': expect.stringContaining('works once, within 10 minutes. The code works for 10 minutes.'),
  })
})

test.each(['/login/confirm', '/login/new-password'])('%s shows the configured life for an expired link', async (url) => {
  const { body } = await browser(app).send({ url: `${url}?token_hash=${'A'.repeat(43)}` })
  expect(body).toContain('or is more than 10 minutes old.')
})
