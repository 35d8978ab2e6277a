import { afterAll, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.MAILER_OTP_EXP = '600'
})

import { startJobs, stopJobs } from '#app/jobs/job-worker.server.ts'
import { renderLetter } from '#app/mail/render.server.tsx'
import { startApp } from '#test/app.ts'
import { authClient, forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { lettersTo } from '#test/letters.ts'

const app = await startApp()
startJobs()
afterAll(() => stopJobs())

test('letters say how long their link and code work, as it is set', async () => {
  const call = authClient(app)
  const { email } = await signUpAndConfirm(app)
  await forgetLimits()
  await call('POST', '/signup', { email, password: PASSWORD })
  await call('POST', '/recover', { email })
  await vi.waitFor(async () => expect((await lettersTo(email)).map(({ kind }) => kind)).toContain('reset-password'), 5000)

  const texts = Object.fromEntries(
    (await lettersTo(email)).map(({ kind, data }) => [kind, renderLetter(kind, JSON.stringify(data)).text.replaceAll(/\s+/g, ' ')]),
  )
  expect(texts).toEqual({
    'confirm-address': expect.stringContaining('works once and for 10 minutes, the code for 10 minutes.'),
    'existing-account': expect.stringContaining('works once and for 10 minutes.'),
    'reset-password': expect.stringContaining('works once and for 10 minutes, the code for 10 minutes.'),
  })
})

test.each(['/login/confirm', '/login/new-password'])('%s says when a link is too old, as it is set', async (url) => {
  const { body } = await browser(app).send({ url: `${url}?token_hash=${'A'.repeat(43)}` })
  expect(body).toContain('or is more than 10 minutes old.')
})
