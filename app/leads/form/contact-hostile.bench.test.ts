import { expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { z } from 'zod'
import { renderEmail } from '#app/mail/render.server.tsx'
import { startApp } from '#test/app.ts'
import { forgetLimits, sampleEnquiries, sendEnquiry, sendForm } from '#test/enquiries.ts'
import { hostileValues } from '#test/hostile.ts'
import { byLength } from '#test/length.ts'

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
/** At full length each field gets every third value, else every sixth, and the next field the next ones. The bench sends 300 to each field. */
const values = hostileValues(180)
const STEP = byLength(6, 3)

const postedEmail = z.object({ kind: z.string(), to: z.string(), data: z.unknown() })

/** A response reveals no internals: no file path, no database message. */
const INSIDE = /at .{0,80}\.(ts|js):\d|node_modules|PostgresError|syntax error|violates|invalid byte|relation "/

type Reply = Awaited<ReturnType<typeof sendEnquiry>>

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The values whose response has another status, or reveals internals. */
async function breaking(statuses: number[], turn: number, send: (value: unknown, index: number) => Promise<Reply>) {
  const found: unknown[] = []
  for (const [index, value] of values.filter((_, position) => position % STEP === turn % STEP).entries()) {
    if (index % 50 === 0) await forgetLimits()
    const reply = await send(value, index)
    if (!statuses.includes(reply.statusCode) || INSIDE.test(reply.body)) found.push([reply.statusCode, value])
  }
  return found
}

test.each(fields)('no value in %s of the API breaks it or reveals internals', async (field) => {
  const found = await breaking([201, 422], fields.indexOf(field), (value, index) => {
    const form = forms[index % forms.length] ?? 'contact'
    return sendEnquiry(app, { form, ...sampleEnquiries[form], [field]: value })
  })
  expect(found).toEqual([])
})

test.each(['name', 'email', 'country', 'problem', 'message', 'homepage', 'idempotencyKey'])(
  'no value in %s of the page breaks it or reveals internals',
  async (field) => {
    const found = await breaking([303, 422], field.length, (value) =>
      sendForm(app, '/contact', { ...sampleEnquiries.contact, [field]: textOf(value) }),
    )
    expect(found).toEqual([])
  },
)

test('no value as a field name, as the whole body, as an idempotency key or in the page’s URL breaks it', async () => {
  const asHeader = (value: unknown) => encodeURIComponent(textOf(value).toWellFormed())
  const found = [
    ...(await breaking([201, 422, 400], 0, (value) => sendEnquiry(app, { ...sampleEnquiries.contact, [textOf(value)]: value }))),
    ...(await breaking([400, 422], 1, (value) => sendEnquiry(app, textOf(value)))),
    ...(await breaking([201, 422], 2, (value) => sendEnquiry(app, sampleEnquiries.contact, { 'idempotency-key': asHeader(value) }))),
    ...(await breaking([200, 400], 3, (value) => app.inject(`/contact?sent=${asHeader(value)}`))),
  ]
  expect(found).toEqual([])
})

test('the emails about it can be rendered', async () => {
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'letter').execute()
  expect(jobs.length).toBeGreaterThan(200)
  for (const { payload } of jobs.filter((_, index) => index % 5 === 0)) {
    const { kind, to, data } = postedEmail.parse(payload)
    const { subject, html, text, replyTo } = await renderEmail(kind, JSON.stringify(data))
    for (const line of [to, subject, replyTo ?? '']) expect(line).not.toMatch(/[\r\n\0]/)
    expect(html).not.toMatch(/<script|onerror=alert\(1\)>/)
    expect(text).toContain('W-')
  }
})
