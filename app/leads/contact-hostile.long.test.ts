import { expect, test } from 'vitest'
import { db } from '#app/platform/db.server.ts'
import { z } from 'zod'
import { renderLetter } from '#app/mail/render.server.tsx'
import { startApp } from '#test/app.ts'
import { forgetLimits, letters, sendEnquiry, sendForm } from '#test/enquiries.ts'
import { hostileValues } from '#test/hostile.ts'

const app = await startApp()

const fields = [
  'name',
  'email',
  'country',
  'problem',
  'message',
  'budget',
  'timeframe',
  'company',
  'form',
  'idempotencyKey',
  'homepage',
  'token',
  'proof',
]
const forms = ['contact', 'home', 'landing', 'hire'] as const
/** The bench sends 300 values to each field; here each third, another third for each field. */
const values = hostileValues(180)

const postedLetter = z.object({ kind: z.string(), to: z.string(), data: z.unknown() })

/** Nothing of ours shows: no place in our code, no word of the database. */
const INSIDE = /at .{0,80}\.(ts|js):\d|node_modules|PostgresError|syntax error|violates|invalid byte|relation "/

type Reply = Awaited<ReturnType<typeof sendEnquiry>>

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The values whose answer has another status than these, or tells what is inside. */
async function breaking(statuses: number[], third: number, send: (value: unknown, index: number) => Promise<Reply>) {
  const found: unknown[] = []
  for (const [index, value] of values.filter((_, position) => position % 3 === third % 3).entries()) {
    if (index % 50 === 0) await forgetLimits()
    const reply = await send(value, index)
    if (!statuses.includes(reply.statusCode) || INSIDE.test(reply.body)) found.push([reply.statusCode, value])
  }
  return found
}

test.each(fields)('nothing put into %s of the API breaks it or shows what is inside', async (field) => {
  const found = await breaking([201, 422], fields.indexOf(field), (value, index) => {
    const form = forms[index % forms.length] ?? 'contact'
    return sendEnquiry(app, { form, ...letters[form], [field]: value })
  })
  expect(found).toEqual([])
})

test.each(['name', 'email', 'country', 'problem', 'message', 'homepage', 'idempotencyKey'])('nor into %s of the page', async (field) => {
  const found = await breaking([303, 422], field.length, (value) =>
    sendForm(app, '/contact', { ...letters.contact, [field]: textOf(value) }),
  )
  expect(found).toEqual([])
})

test('nor as the name of a field, as the whole body, as the key of an attempt, or in the address of the page', async () => {
  const asHeader = (value: unknown) => encodeURIComponent(textOf(value).toWellFormed())
  const found = [
    ...(await breaking([201, 422, 400], 0, (value) => sendEnquiry(app, { ...letters.contact, [textOf(value)]: value }))),
    ...(await breaking([400, 422], 1, (value) => sendEnquiry(app, textOf(value)))),
    ...(await breaking([201, 422], 2, (value) => sendEnquiry(app, letters.contact, { 'idempotency-key': asHeader(value) }))),
    ...(await breaking([200, 400], 3, (value) => app.inject(`/contact?sent=${asHeader(value)}`))),
  ]
  expect(found).toEqual([])
})

test('and the letters about it can be written', async () => {
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'letter').execute()
  expect(jobs.length).toBeGreaterThan(200)
  for (const { payload } of jobs.filter((_, index) => index % 5 === 0)) {
    const { kind, to, data } = postedLetter.parse(payload)
    const { subject, html, text, replyTo } = renderLetter(kind, JSON.stringify(data))
    for (const line of [to, subject, replyTo ?? '']) expect(line).not.toMatch(/[\r\n\0]/)
    expect(html).not.toMatch(/<script|onerror=alert\(1\)>/)
    expect(text).toContain('W-')
  }
})
