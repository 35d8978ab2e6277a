import { beforeEach, expect, test } from 'vitest'
import { landingProblems } from '#app/content/contact-options.ts'
import { db } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startApp } from '#test/app.ts'
import { ada, sendForm } from '#test/enquiries.ts'
import { readPage, textOf } from '#test/read-page.ts'

const app = await startApp()
beforeEach(closeLimits)

test('the guided intake is open to everyone', async () => {
  const { status, title } = await readPage(app, '/get-started')

  expect([status, title]).toEqual([200, expect.stringContaining('Get started')])
})

test('the guided intake asks in three steps, for one of five problems', async () => {
  const { main } = await readPage(app, '/get-started')

  expect(main.match(/<fieldset/g)).toHaveLength(3)
  const select = /<select id="field-problem"[\s\S]*?<\/select>/.exec(main)?.[0] ?? ''
  expect([...select.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value)).toEqual(['', ...landingProblems])
})

test('it becomes an enquiry without script', async () => {
  const sent = await sendForm(app, '/get-started', { ...ada, problem: 'Lead Generation', budget: 'discuss', timeframe: 'flexible' })
  expect(sent.statusCode).toBe(303)

  const lead = await db.selectFrom('contacts').selectAll().where('form', '=', 'landing').executeTakeFirstOrThrow()
  expect(lead).toMatchObject({ serviceType: 'Lead Generation', budget: 'discuss', timeframe: 'flexible' })
  expect(sent.headers.location).toContain(`/get-started?sent=${lead.reference}&`)
})

test('it shows each missing value at its field', async () => {
  const refused = await sendForm(app, '/get-started', { name: '', email: 'ada', country: '', problem: '', message: 'too short' })

  expect(refused.statusCode).toBe(422)
  for (const sentence of [
    'Name is required',
    'Invalid email address',
    'Country is required',
    'Please select a problem type',
    'Message must be at least 10 characters',
  ]) {
    expect(textOf(refused.body)).toContain(sentence)
  }
})
