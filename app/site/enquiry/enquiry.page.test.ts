import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { findCallOfEnquiry } from '#app/booking/enquiry-call.server.ts'
import { pageUrlOf } from '#app/leads/lead/page-link.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { openFile } from '#app/platform/storage/storage.server.ts'
import { renderEmail } from '#app/mail/render.server.tsx'
import { startApp } from '#test/app.ts'
import { emailsTo } from '#test/emails.ts'
import { ada, forgetLimits, sampleEnquiries, sendEnquiry, sendForm } from '#test/enquiries.ts'
import { makeContact, makeHost, signIn } from '#test/factories.ts'
import { saveSection } from '#app/content/settings/settings.server.ts'
import { officeWeek } from '#app/platform/time/weekly-hours.ts'
import { saveNotFound } from '#app/redirects/not-found/not-found-log.server.ts'
import { textOf } from '#test/read-page.ts'
import { jobOf } from '#test/job.ts'

const app = await startApp()
const staff = await signIn('staff')
beforeEach(async () => {
  await forgetLimits()
  for (const table of ['bookings', 'jobs', 'notifications', 'leadFiles', 'contacts'] as const) await db.deleteFrom(table).execute()
})

const HOUR = 3_600_000
const PDF = '%PDF-1.7 a price list'

/** An enquiry and the path of its page. */
async function enquiry(given: Parameters<typeof makeContact>[0] = {}) {
  const contact = await makeContact(given)
  return { ...contact, path: await pathOf(contact.id) }
}

async function pathOf(contactId: string): Promise<string> {
  const lead = await db
    .selectFrom('leads')
    .select(['contactId', 'pageVersion'])
    .where('contactId', '=', contactId)
    .executeTakeFirstOrThrow()
  return new URL(pageUrlOf(lead)).pathname
}

async function read(path: string) {
  const reply = await app.inject(path)
  const main = reply.body.slice(reply.body.indexOf('<main'), reply.body.indexOf('</main>'))
  return { status: reply.statusCode, headers: reply.headers, main, body: reply.body, text: textOf(main) }
}

const details = async (path: string, text: string) => sendForm(app, path, { intent: 'details', details: text })

type Given = { name: string; content: string | Buffer; type?: string }

async function sendFiles(path: string, files: Given[], headers: Record<string, string> = {}) {
  const form = new FormData()
  for (const { name, content, type = 'application/pdf' } of files)
    form.append('files', new Blob([typeof content === 'string' ? content : new Uint8Array(content)], { type }), name)
  const request = new Request('http://localhost:3000', { method: 'POST', body: form })
  const payload = Buffer.from(await request.arrayBuffer())
  const type = request.headers.get('content-type') ?? ''
  return app.inject({
    method: 'POST',
    url: `${path}/files`,
    headers: { 'content-type': type, origin: 'http://localhost:3000', host: 'localhost:3000', ...headers },
    payload,
  })
}

const outcomeOf = (reply: { headers: Record<string, unknown> }) => String(reply.headers['location']).split('?file=')[1]
const filesOf = async (contactId: string) =>
  db.selectFrom('leadFiles').selectAll().where('contactId', '=', contactId).orderBy('id').execute()
const eventsOf = async (contactId: string) =>
  (await db.selectFrom('leadEvents').select('kind').where('contactId', '=', contactId).orderBy('createdAt').orderBy('id').execute()).map(
    ({ kind }) => kind,
  )
const notices = async () =>
  (await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.tell').orderBy('id').execute()).map(({ payload }) =>
    new Map(Object.entries(payload ?? {})).get('title'),
  )
const clockStates = async (contactId: string) =>
  (await db.selectFrom('leadClocks').select('state').where('contactId', '=', contactId).execute()).map(({ state }) => state)

describe('the page', () => {
  test('the acknowledgement leads to it, in its text and its HTML; it shows the words, what happened and what comes by when', async () => {
    const { id } = (await sendEnquiry(app, { ...sampleEnquiries.home, form: 'home' })).json()
    const path = await pathOf(id)
    const email = (await emailsTo(ada.email)).find(({ kind }) => kind === 'acknowledgement')
    // The stored email holds no address.
    expect(JSON.stringify(email?.data)).not.toContain('/enquiry/')
    const { text, html } = await renderEmail('acknowledgement', JSON.stringify(email?.data))
    for (const body of [text, html]) expect(body).toContain(`http://localhost:3000${path}`)

    const page = await read(path)
    expect(page.status).toBe(200)
    for (const part of [ada.message, 'We received your enquiry', 'A person confirms that they have read it.', 'in 2 h', 'in 24 h'])
      expect(page.text).toContain(part)
    expect(page.text).not.toContain('We are late')
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex' })
    expect(page.body).toContain('noindex')
    // Nothing is loaded from elsewhere.
    expect(
      [...page.body.matchAll(/(?:src|href)="(https?:[^"]+)"/g)].filter(
        ([tag, url]) => tag.startsWith('src') && !url?.startsWith('http://localhost'),
      ),
    ).toEqual([])
  })

  test('says plainly when we are late, with the ways to reach us; an answer ends it, and an unsent proposal is late as well', async () => {
    const { id, path } = await enquiry({ createdAt: new Date(Date.now() - 3 * HOUR) })
    const late = await read(path)
    expect(late.text).toContain('We are late')
    expect(late.text).toMatch(/Was due .* UTC \(1 h ago\)/)
    expect(late.text).toContain('hello@winnow.example')
    await app.inject({ method: 'POST', url: `/api/contacts/${id}/answer`, headers: staff.headers })
    const answered = await read(path)
    expect(answered.text).not.toContain('We are late')
    expect(answered.text).toContain('A person read it and replied')
    expect(answered.text).toContain('We send our proposal.')

    await sql`UPDATE contacts SET created_at = now() - interval '30 hours' WHERE id = ${id}`.execute(db)
    expect((await read(path)).text).toContain('We are late')
    await app.inject({ method: 'POST', url: `/api/contacts/${id}/proposal`, headers: staff.headers, payload: { proposal: 'sent' } })
    const proposed = await read(path)
    expect(proposed.text).not.toContain('We are late')
    expect(proposed.text).toContain('We sent our proposal by email')
  })

  test('shows the booked call of this enquiry with its link, and no notes, people, stages or values', async () => {
    const { id, path, personId } = await enquiry()
    const host = await makeHost()
    const startsAt = new Date(Date.now() + 48 * HOUR)
    const endsAt = new Date(startsAt.getTime() + HOUR / 2)
    const booking = {
      hostId: host.userId,
      status: 'booked' as const,
      startsAt,
      endsAt,
      blockedFrom: startsAt,
      blockedUntil: endsAt,
      bookedAt: new Date(),
    }
    await db
      .insertInto('bookings')
      .values({
        ...booking,
        id: newId(),
        contactId: id,
        personId,
        name: 'Ada',
        email: 'ada@example.com',
        reference: 'C-234567',
        guestZone: 'Europe/Berlin',
      })
      .execute()
    await db
      .updateTable('leads')
      .set({ valueCents: 4_200_000, ownerId: staff.user.id, nextStep: 'Ask for the budget' })
      .where('contactId', '=', id)
      .execute()
    await app.inject({
      method: 'POST',
      url: `/api/leads/${(await contactOf(id)).reference}/notes`,
      headers: staff.headers,
      payload: { text: 'A hard one' },
    })

    const page = await read(path)
    const call = await findCallOfEnquiry(id)
    expect(page.text).toContain(`Call booked ${call?.time}`)
    expect(page.main).toContain(`href="${call?.manage}"`)
    expect(page.main).not.toContain('/book?enquiry')
    for (const secret of ['A hard one', '42,000', '42000', 'Ask for the budget', 'Acknowledged', String(staff.user.email)])
      expect(page.body).not.toContain(secret)
  })

  test('a wrong, revoked, old or deleted one gets the same sentence, and no address is logged', async () => {
    const { id, reference, path } = await enquiry()
    const other = await enquiry()
    const old = await enquiry({ createdAt: new Date(Date.now() - 366 * 24 * HOUR) })
    const deleted = await enquiry({ deletedAt: new Date() })
    const mixed = other.path.slice(0, '/enquiry/'.length + 32) + path.slice('/enquiry/'.length + 32)
    await app.inject({ method: 'DELETE', url: `/api/visitor-pages/${reference}`, headers: staff.headers })
    const wrong = [path, mixed, old.path, deleted.path, '/enquiry/nonsense', `/enquiry/${'a1'.repeat(36)}`]
    for (const address of wrong) {
      const page = await read(address)
      expect([address, page.status, page.text.includes('This link doesn’t lead to an enquiry.')]).toEqual([address, 404, true])
      const written = await details(address, 'More')
      expect(written.statusCode).toBe(404)
      expect((await sendFiles(address, [{ name: 'a.pdf', content: PDF }])).headers['location']).toBe(address)
    }
    expect((await read(path)).headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'same-origin',
    })
    await saveNotFound()
    const missing = await db.selectFrom('missingPaths').select('path').where('path', 'like', '/enquiry/%').execute()
    expect(missing.map((row) => row.path).toSorted()).toEqual(['/enquiry/nonsense', '/enquiry/…'])
    expect(await eventsOf(id)).toEqual(['visitor_link_revoked'])
    expect(await filesOf(id)).toEqual([])

    const renewed = await app.inject({ method: 'POST', url: `/api/visitor-pages/${reference}`, headers: staff.headers })
    const next = new URL(renewed.json().url).pathname
    expect(next).not.toBe(path)
    expect((await read(next)).status).toBe(200)
    expect((await read(path)).status).toBe(404)
  })

  test('a quarantined enquiry shows only that it was received, and takes nothing', async () => {
    const { id, path } = await enquiry({ quarantinedAt: new Date() })
    const page = await read(path)
    expect(page.text).toContain('We received your enquiry')
    expect(page.main).not.toContain('<form')
    expect(page.text).not.toContain('by hand')
    await details(path, 'More')
    await sendForm(app, path, { intent: 'withdraw' })
    await sendFiles(path, [{ name: 'a.pdf', content: PDF }])
    expect(await eventsOf(id)).toEqual([])
    expect(await filesOf(id)).toEqual([])
  })
})

describe('business hours', () => {
  test('are named on the public pages, in the emails and on the page; without them, the texts are as they were', async () => {
    const before = [(await read('/contact')).text, (await read('/')).text]
    for (const text of before) expect(text).not.toContain('business hours')
    const hours = { counts: 'Business hours', zone: 'UTC', week: officeWeek, holidays: [] }
    await saveSection('hours', hours, staff.user.id, 0)
    const contact = await read('/contact')
    expect(contact.text).toContain('A person confirms within 2 business hours. Within 24 business hours, we tell you')
    expect(contact.body).toContain('data-hours="business"')
    expect((await read('/')).text).toContain('24-hour response (business hours)')
    expect((await read('/terms-of-service')).text).toContain('business hours')
    const { id } = (await sendEnquiry(app, ada)).json()
    const { data } = (await emailsTo(ada.email)).find(({ kind }) => kind === 'acknowledgement') ?? {}
    expect((await renderEmail('acknowledgement', JSON.stringify(data))).text).toContain('Within 24 business hours')
    expect((await read(await pathOf(id))).text).toContain('Deadlines count our business hours.')

    await saveSection('hours', null, staff.user.id, 1)
    expect([(await read('/contact')).text, (await read('/')).text]).toEqual(before)
  })
})

describe('what the visitor adds', () => {
  test('details: once, shown to both, told to staff; empty, long and too many ones are refused with the text kept', async () => {
    const { id, path, reference } = await enquiry()
    const sent = await details(path, 'Also <b>stock</b> levels')
    expect([sent.statusCode, sent.headers['location']]).toEqual([303, `${path}?done=details`])
    await details(path, 'Also <b>stock</b> levels')
    expect(await eventsOf(id)).toEqual(['details_added'])
    expect(await notices()).toEqual(['Details added by Ada Lovelace'])
    const page = await read(`${path}?done=details`)
    expect(page.text).toContain('Your details are added.')
    expect(page.main).toContain('Also &lt;b&gt;stock&lt;/b&gt; levels')
    const timeline = await app.inject({ url: `/api/leads/${reference}/timeline`, headers: staff.headers })
    expect(timeline.json().entries[0]).toMatchObject({ kind: 'details_added', detail: { text: 'Also <b>stock</b> levels' } })

    expect(textOf((await details(path, '  ')).body)).toContain('Write something first.')
    const long = await details(path, 'x'.repeat(5001))
    expect(long.statusCode).toBe(422)
    expect(long.body).toContain('x'.repeat(5001))
    const row = { contactId: id, kind: 'details_added' }
    await db
      .insertInto('leadEvents')
      .values(Array.from({ length: 49 }, (_, at) => ({ ...row, id: newId(), detail: JSON.stringify({ text: `number ${at}` }) })))
      .execute()
    expect(textOf((await details(path, 'One more')).body)).toContain('This enquiry has no room for more details.')
  })

  test('files: stored, listed for both, downloaded by staff as a file, and removed with their row', async () => {
    const { id, path, reference } = await enquiry()
    const reply = await sendFiles(path, [
      { name: '../préis "list".pdf', content: PDF },
      { name: 'rows.CSV', content: 'a,b\n1,2', type: 'text/csv' },
    ])
    expect([reply.statusCode, outcomeOf(reply)]).toEqual([303, 'added'])
    expect((await filesOf(id)).map(({ name, type, source }) => [name, type, source])).toEqual([
      ['préis "list".pdf', 'application/pdf', 'visitor'],
      ['rows.CSV', 'text/csv', 'visitor'],
    ])
    expect(await eventsOf(id)).toEqual(['file_added', 'file_added'])
    expect((await read(`${path}?file=added`)).text).toContain('Your files are added.')

    const listed = (await app.inject({ url: `/api/leads/${reference}/files`, headers: staff.headers })).json()
    const pdf = listed.find(({ name }: { name: string }) => name.startsWith('préis'))
    const file = await app.inject({ url: `/api/lead-files/${pdf.id}`, headers: staff.headers })
    expect(file.body).toBe(PDF)
    expect(file.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="pr_is _list_.pdf"; filename*=UTF-8''pr%C3%A9is%20%22list%22.pdf`,
      'x-content-type-options': 'nosniff',
    })

    const stored = (await filesOf(id)).map(({ storedAs }) => storedAs)
    await db.deleteFrom('contacts').where('id', '=', id).execute()
    await runRemovals()
    for (const key of stored) expect(await openFile(key)).toBeUndefined()
  })

  test('files that are missing, empty, of another type, disguised, too large or too many are refused, and none of them is stored', async () => {
    const { id, path } = await enquiry()
    const outcome = async (...files: Given[]) => outcomeOf(await sendFiles(path, files))
    const pdf = { name: 'a.pdf', content: PDF }
    expect(await outcome()).toBe('missing')
    expect(await outcome({ name: '', content: '' })).toBe('missing')
    expect(await outcome(pdf, { name: 'b.pdf', content: '' })).toBe('empty')
    expect(await outcome(pdf, { name: 'page.html', content: '<script>' })).toBe('type')
    expect(await outcome({ name: 'picture.svg', content: '<svg/>' })).toBe('type')
    expect(await outcome({ name: 'program.pdf', content: 'MZ\0\0' })).toBe('type')
    expect(await outcome({ name: 'rows.csv', content: 'a\0b' })).toBe('type')
    expect(await outcome({ name: 'pdf', content: PDF })).toBe('type')
    expect(await outcome({ name: 'a.pdf', content: Buffer.concat([Buffer.from(PDF), Buffer.alloc(20 * 1024 * 1024 + 65_536)]) })).toBe(
      'size',
    )
    expect(await outcome(...Array.from({ length: 11 }, () => pdf))).toBe('count')
    expect(await filesOf(id)).toEqual([])

    const half = { name: 'a.pdf', content: Buffer.concat([Buffer.from(PDF), Buffer.alloc(11 * 1024 * 1024)]) }
    expect(await outcome(half)).toBe('added')
    expect(await outcome(half)).toBe('size')
    expect(await outcome(...Array.from({ length: 10 }, () => pdf))).toBe('count')
    expect(await filesOf(id)).toHaveLength(1)
    const [{ storedAs } = { storedAs: '' }] = await filesOf(id)
    await runRemovals()
    expect(await openFile(storedAs)).toBeDefined()
    expect((await read(`${path}?file=size`)).text).toContain('Your files have more than 20 MB together.')
  })

  test('a form of another site, and too many changes, are refused', async () => {
    const { id, path } = await enquiry()
    const foreign = { origin: 'https://elsewhere.example' }
    expect((await sendForm(app, path, { intent: 'withdraw' }, foreign)).statusCode).toBe(403)
    expect((await sendFiles(path, [{ name: 'a.pdf', content: PDF }], foreign)).statusCode).toBe(403)
    expect(await eventsOf(id)).toEqual([])
    for (let at = 0; at < 60; at += 1) await details(path, 'The same')
    const refused = await details(path, 'Something new')
    expect(refused.statusCode).toBe(429)
    expect(textOf(refused.body)).toContain('Try again in 10 minutes.')
    expect(refused.body).toContain('Something new')
  })
})

describe('withdrawing', () => {
  test('ends the clocks, is told to staff and shown to both; adding details, or the button, undoes it', async () => {
    const { id, path, reference } = await enquiry()
    await sendForm(app, path, { intent: 'withdraw' })
    await sendForm(app, path, { intent: 'withdraw' })
    expect(await eventsOf(id)).toEqual(['withdrawn'])
    expect(await clockStates(id)).toEqual(['void', 'void', 'void'])
    const page = await read(path)
    expect(page.text).toContain('You withdrew this enquiry. We stopped working on it.')
    expect(page.main).not.toContain('Withdraw your enquiry')
    const lead = (await app.inject({ url: `/api/leads/${reference}`, headers: staff.headers })).json()
    expect(lead.withdrawnAt).toEqual(expect.any(String))

    await sendForm(app, path, { intent: 'resume' })
    expect(await clockStates(id)).toEqual(['running', 'running', 'running'])
    await sendForm(app, path, { intent: 'withdraw' })
    await details(path, 'After all')
    expect(await eventsOf(id)).toEqual(['withdrawn', 'resumed', 'withdrawn', 'resumed', 'details_added'])
    expect((await contactOf(id)).withdrawnAt).toBeNull()
    expect(await notices()).toContain('Withdrawn by Ada Lovelace')
  })
})

async function contactOf(id: string) {
  return db.selectFrom('contacts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Runs the queued removals of stored files. */
async function runRemovals() {
  const jobs = await db.selectFrom('jobs').select(['id', 'payload']).where('kind', '=', 'lead-files.remove').execute()
  for (const { id, payload } of jobs)
    await jobOf('lead-files.remove').run(payload, { id, attempt: 1, signal: new AbortController().signal })
}
