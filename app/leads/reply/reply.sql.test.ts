import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const server = await vi.hoisted(async () => {
  const { openMailServer } = await import('#test/mail-server.ts')
  const opened = await openMailServer()
  process.env.SMTP_URL = opened.url
  process.env.MAIL_FROM = 'Winnow <hello@winnow.example>'
  process.env.MAIL_REPLY_ADDRESS = 'replies@winnow.example'
  return opened
})

import { closeTransport } from '#app/mail/transport.server.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { openFile } from '#app/platform/storage/storage.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetAllEvents } from '#test/audit.ts'
import { forgetLimits } from '#test/enquiries.ts'
import { eventually } from '#test/eventually.ts'
import { makeContact, signIn } from '#test/factories.ts'
import { MOST_FILE_BYTES, withReturned } from './reply.ts'
import { contactOfReplyAddress, threadRootOf } from '#app/leads/lead/reply-address.server.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
const staff = await signIn('staff', { userMetadata: JSON.stringify({ first_name: 'Grace', last_name: 'Hopper' }) })
const colleague = await signIn('staff')
const customer = await signIn('customer')

beforeEach(async () => {
  server.received.splice(0)
  server.answer = 'take'
  await forgetLimits()
  for (const table of ['contacts', 'people', 'leadFiles', 'jobs'] as const) await db.deleteFrom(table).execute()
  await forgetAllEvents()
})
afterEach(async () => stopJobs())
afterAll(async () => {
  closeTransport()
  await server.close()
})

type Headers = Record<string, string>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const call = async (method: Method, url: string, payload?: object, headers: Headers = staff.headers) =>
  app.inject({ method, url, headers, ...(payload && { payload }) })
const reply = async (reference: string, given: object = {}, headers?: Headers) =>
  call(
    'POST',
    `/api/leads/${reference}/replies`,
    { id: randomUUID(), subject: 'Your enquiry', text: 'Hi **Ada**', fileIds: [], ...given },
    headers,
  )
const upload = async (reference: string, name: string, bytes: Uint8Array, query = 'use=reply', headers: Headers = staff.headers) =>
  app.inject({
    method: 'POST',
    url: `/api/leads/${reference}/files?name=${encodeURIComponent(name)}&${query}`,
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    payload: Buffer.from(bytes),
  })
const timeline = async (reference: string) => (await call('GET', `/api/leads/${reference}/timeline`)).json().entries
const editor = async (reference: string, headers?: Headers) =>
  (await call('GET', `/api/leads/${reference}/reply`, undefined, headers)).json()
const stateOf = async (id: string) => (await db.selectFrom('leadMessages').select('state').where('id', '=', id).executeTakeFirst())?.state
const contactOf = async (id: string) => db.selectFrom('contacts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const stageOf = async (id: string) =>
  (await db.selectFrom('leads').select('stageId').where('contactId', '=', id).executeTakeFirstOrThrow()).stageId
/** The 10 seconds are over. */
const makeDue = async () => db.updateTable('jobs').set({ runAt: new Date() }).where('kind', '=', 'leads.send-reply').execute()
const run = async (kind: string) => {
  const jobs = await db.selectFrom('jobs').selectAll().where('kind', '=', kind).execute()
  return Promise.all(
    jobs.map(async ({ id, payload }) => jobOf(kind).run(payload, { id, attempt: 1, signal: new AbortController().signal })),
  )
}
const letters = async () => db.selectFrom('jobs').selectAll().where('kind', '=', 'letter').execute()
const reaches = async (id: string, state: string) => eventually(async () => expect(await stateOf(id)).toBe(state), { interval: 100 })

describe('a reply', () => {
  test('leaves after 10 seconds in its sender’s name, as a part of the thread, with its files, and ends the clocks', async () => {
    const contact = await makeContact({ name: 'Ada Lovelace', serviceType: 'Data Extraction' })
    const { reference } = contact
    const first = (await upload(reference, 'Angebot für Ada.pdf', Buffer.from('offer'), 'use=reply&type=application/pdf')).json()
    await call('PUT', '/api/leads/signature', { text: 'Grace, *Winnow*' })
    const id = randomUUID()
    const text = 'Hi {{firstName}},\n\nabout {{ SERVICE }}: [read on](https://winnow.example/a).\n\n{{senderName}}'
    const sent = await reply(reference, { id, subject: 'Re: {{reference}}', text, fileIds: [first.id] })
    expect(sent.statusCode).toBe(201)
    expect(sent.json()).toMatchObject({
      id,
      state: 'scheduled',
      subject: `Re: ${reference}`,
      files: [{ name: 'Angebot für Ada.pdf', size: 5 }],
    })
    const left = Date.parse(sent.json().sendAt) - Date.now()
    expect(left).toBeGreaterThan(5000)
    expect(left).toBeLessThanOrEqual(10_500)
    // Nothing is told before it leaves.
    expect((await timeline(reference)).map(({ kind }: { kind: string }) => kind)).toEqual(['received'])
    expect(await contactOf(contact.id)).toMatchObject({ answeredAt: null })

    await makeDue()
    startJobs()
    await reaches(id, 'sent')
    const [email] = server.received
    expect(email).toMatchObject({
      from: { name: 'Grace Hopper', address: 'hello@winnow.example' },
      to: [{ address: contact.email }],
      subject: `Re: ${reference}`,
      inReplyTo: threadRootOf(contact.id),
      references: threadRootOf(contact.id),
      attachments: [{ filename: 'Angebot für Ada.pdf', mimeType: 'application/pdf' }],
    })
    expect(contactOfReplyAddress(email?.replyTo?.[0]?.address ?? '')).toBe(contact.id)
    expect(email?.text).toContain('Hi Ada,')
    expect(email?.text).toContain('about Data Extraction: read on <https://winnow.example/a>')
    expect(email?.html).toContain('<em>Winnow</em>')
    expect(email?.headers.map(({ key }) => key)).not.toContain('auto-submitted')
    const { answeredAt, proposal } = await contactOf(contact.id)
    expect([answeredAt, proposal]).toEqual([expect.any(Date), null])
    expect(await stageOf(contact.id)).toBe(2)
    const entries = await timeline(reference)
    expect(entries.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['answered', 'email_sent', 'received', 'stage_changed'])
    expect(entries.find(({ kind }: { kind: string }) => kind === 'email_sent')).toMatchObject({
      actorName: 'Grace Hopper',
      message: { id, state: 'sent', text: expect.stringContaining('Hi Ada,'), files: [{ id: first.id }] },
    })
    expect((await db.selectFrom('auditEvents').select('action').execute()).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['lead_replied', 'enquiry_answered']),
    )

    // The next one refers to the newest email of the thread, which came in meanwhile.
    await insert(db, 'leadMessages', {
      contactId: contact.id,
      direction: 'in',
      state: 'received',
      messageId: '<ada-1@example.com>',
      fromAddress: contact.email,
      subject: 'RE: Re: Prices',
      createdAt: new Date(Date.now() + 1000),
    })
    expect((await editor(reference)).subject).toBe('Re: Prices')
    const second = (await reply(reference, { text: 'Yes.' })).json().id
    await makeDue()
    await reaches(second, 'sent')
    expect(server.received[1]).toMatchObject({
      inReplyTo: '<ada-1@example.com>',
      references: `${threadRootOf(contact.id)} ${email?.messageId} <ada-1@example.com>`,
    })
    expect((await timeline(reference)).filter(({ kind }: { kind: string }) => kind === 'answered')).toHaveLength(1)
  })

  test('sent again without an answer is the same; one that was changed meanwhile is refused, and not taken for the first', async () => {
    const { reference } = await makeContact()
    const file = (await upload(reference, 'a.txt', Buffer.from('a'))).json()
    const other = (await upload(reference, 'b.txt', Buffer.from('b'))).json()
    const given = { id: randomUUID(), fileIds: [file.id] }
    expect((await reply(reference, given)).statusCode).toBe(201)
    expect((await reply(reference, given)).statusCode).toBe(201)
    // The editor that has loaded again no longer shows the file.
    expect((await reply(reference, { ...given, fileIds: [] })).statusCode).toBe(201)
    const changes = [{ text: 'Hi Ada, at half the price' }, { subject: 'Prices' }, { fileIds: [file.id, other.id] }]
    for (const change of changes) {
      const refused = await reply(reference, { ...given, ...change })
      expect([change, refused.statusCode, refused.json().code]).toEqual([change, 409, 'reply_changed'])
    }
    const later = { sendAt: new Date(Date.now() + 3_600_000).toISOString() }
    expect((await reply(reference, { ...given, ...later })).json().code).toBe('reply_changed')
    const planned = { id: randomUUID(), ...later }
    expect([(await reply(reference, planned)).statusCode, (await reply(reference, planned)).statusCode]).toEqual([201, 201])
    expect((await reply(reference, { ...planned, sendAt: null })).json().code).toBe('reply_changed')
    await call('POST', `/api/lead-messages/${planned.id}/cancel`)
    expect((await editor(reference)).scheduled).toMatchObject([{ text: 'Hi **Ada**', files: [{ id: file.id }] }])
  })

  test('that comes back to the editor stands above what was begun there meanwhile, which stays', () => {
    const back = { subject: 'Prices', text: 'Hi Ada,\nhere they are.\n' }
    expect(withReturned(back, undefined)).toEqual(back)
    expect(withReturned(back, { subject: 'Re: Prices', text: 'One more thing.' })).toEqual({
      subject: 'Prices',
      text: 'Hi Ada,\nhere they are.\n\nOne more thing.',
    })
    for (const text of ['  ', back.text]) expect(withReturned(back, { subject: 'Re: Prices', text })).toEqual(back)
  })

  test('is undone without a trace, and its text and files are a draft again', async () => {
    const { id: contactId, reference } = await makeContact()
    const file = (await upload(reference, 'a.txt', Buffer.from('a'))).json()
    const { id } = (await reply(reference, { text: 'Too early', fileIds: [file.id] })).json()
    expect((await editor(reference)).scheduled).toMatchObject([{ id }])
    const undone = await call('POST', `/api/lead-messages/${id}/cancel`)
    expect(undone.json()).toEqual({ subject: 'Your enquiry', text: 'Too early' })
    await makeDue()
    await run('leads.send-reply')
    expect(await letters()).toEqual([])
    expect((await timeline(reference)).map(({ kind }: { kind: string }) => kind)).toEqual(['received'])
    expect(await contactOf(contactId)).toMatchObject({ answeredAt: null })
    expect(await editor(reference)).toMatchObject({ scheduled: [], files: [{ id: file.id }] })
    expect((await editor(reference, colleague.headers)).files).toEqual([])
    expect((await call('POST', `/api/lead-messages/${id}/cancel`)).statusCode).toBe(404)
  })

  test('that a colleague cancels is theirs to send, with its files', async () => {
    const { reference } = await makeContact()
    const file = (await upload(reference, 'a.txt', Buffer.from('a'))).json()
    const { id } = (await reply(reference, { fileIds: [file.id] })).json()
    expect((await call('POST', `/api/lead-messages/${id}/cancel`, undefined, colleague.headers)).statusCode).toBe(200)
    expect((await editor(reference, colleague.headers)).files).toMatchObject([{ id: file.id }])
    expect((await editor(reference)).files).toEqual([])
    const again = await reply(reference, { fileIds: [file.id] }, colleague.headers)
    expect([again.statusCode, again.json().files]).toMatchObject([201, [{ name: 'a.txt' }]])
  })

  test('of two processes, double clicks, “Send now” and an undo at the same moment, one wins, and one email leaves at most', async () => {
    const { reference } = await makeContact()
    const id = randomUUID()
    const doubled = await Promise.all([reply(reference, { id }), reply(reference, { id })])
    expect(doubled.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    await makeDue()
    const send = async () => call('POST', `/api/lead-messages/${id}/send`)
    const [jobs, more, now, twice] = await Promise.all([run('leads.send-reply'), run('leads.send-reply'), send(), send()])
    expect([jobs.length, more.length]).toEqual([1, 1])
    expect([now.statusCode, twice.statusCode].every((status) => status === 200 || status === 409)).toBe(true)
    expect(await letters()).toHaveLength(1)
    expect((await timeline(reference)).filter(({ kind }: { kind: string }) => kind === 'email_sent')).toHaveLength(1)
    expect((await call('POST', `/api/lead-messages/${id}/cancel`)).statusCode).toBe(409)

    for (let round = 0; round < 5; round++) {
      await db.deleteFrom('jobs').execute()
      const other = (await reply(reference)).json().id
      const [cancelled] = await Promise.all([call('POST', `/api/lead-messages/${other}/cancel`), run('leads.send-reply')])
      const isCancelled = cancelled.statusCode === 200
      expect([isCancelled ? 200 : 409, isCancelled ? 0 : 1]).toEqual([cancelled.statusCode, (await letters()).length])
      expect(await stateOf(other)).toBe(isCancelled ? undefined : 'sending')
    }
  })

  test('that is finally refused says so, the clocks run on, and it is sent again once', async () => {
    const { id: contactId, reference } = await makeContact()
    server.answer = 550
    const { id } = (await reply(reference)).json()
    await makeDue()
    startJobs()
    await reaches(id, 'failed')
    const entry = (await timeline(reference)).find(({ kind }: { kind: string }) => kind === 'email_sent')
    expect(entry.message).toMatchObject({ state: 'failed', error: 'The mail server says that this address does not exist (550).' })
    expect(await contactOf(contactId)).toMatchObject({ answeredAt: null })
    expect(await stageOf(contactId)).toBe(1)

    server.answer = 'take'
    const again = await Promise.all([1, 2].map(async () => call('POST', `/api/lead-messages/${id}/send`)))
    expect(again.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 409])
    await reaches(id, 'sent')
    await sleep(200)
    expect(server.received).toHaveLength(1)
    expect((await contactOf(contactId)).answeredAt).not.toBeNull()
    expect(await stageOf(contactId)).toBe(2)
    expect((await timeline(reference)).filter(({ kind }: { kind: string }) => kind === 'email_sent')).toHaveLength(1)
  })

  test('that was delivered or refused while the process was killed is settled a quarter of an hour later', async () => {
    const { reference } = await makeContact()
    const [one, two] = [(await reply(reference)).json().id, (await reply(reference)).json().id]
    await run('leads.send-reply')
    await db.updateTable('jobs').set({ doneAt: new Date() }).where('dedupeKey', '=', `reply:${one}`).execute()
    await db.updateTable('jobs').set({ failedAt: new Date(), lastError: 'No.' }).where('dedupeKey', '=', `reply:${two}`).execute()
    await jobOf('leads.settle-replies').run(null, { id: randomUUID(), attempt: 1, signal: new AbortController().signal })
    expect([await stateOf(one), await stateOf(two)]).toEqual(['sent', 'failed'])
  })

  test('for later is listed, is sent now, and does not leave where the lead was deleted meanwhile', async () => {
    const { id: contactId, reference } = await makeContact()
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    const later = (await reply(reference, { sendAt })).json()
    expect(later).toMatchObject({ state: 'scheduled', sendAt })
    const [job] = await db.selectFrom('jobs').select('runAt').where('kind', '=', 'leads.send-reply').execute()
    expect(job?.runAt.toISOString()).toBe(sendAt)
    expect((await call('POST', `/api/lead-messages/${later.id}/send`)).json()).toMatchObject({ state: 'sending' })
    expect(await letters()).toHaveLength(1)
    for (const wrong of ['yesterday', new Date(Date.now() - 60_000).toISOString(), new Date(Date.now() + 400 * 86_400_000).toISOString()])
      expect((await reply(reference, { sendAt: wrong })).statusCode).toBe(422)

    const other = (await reply(reference, { sendAt })).json().id
    await db.updateTable('contacts').set({ deletedAt: new Date() }).where('id', '=', contactId).execute()
    await run('leads.send-reply')
    expect(await stateOf(other)).toBe('failed')
    expect(await letters()).toHaveLength(1)
  })
})

describe('what is refused', () => {
  test('a field without a value, one that does not exist, an empty text, and a lead in quarantine', async () => {
    const { reference } = await makeContact({ serviceType: null, company: null })
    const refused = await reply(reference, { subject: '{{company}}', text: 'About {{service}}, {{nonsense}}, {{company}}.' })
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toEqual({ text: 'Fill in or delete what is missing: {{company}}, {{service}}, {{nonsense}}.' })
    expect((await reply(reference, { text: ' \n' })).statusCode).toBe(422)
    expect((await reply(reference, { subject: '' })).statusCode).toBe(422)
    const preview = await call('POST', `/api/leads/${reference}/reply/preview`, {
      subject: '{{reference}}',
      text: '**{{company}}** <b>x</b>',
    })
    expect(preview.json()).toMatchObject({
      subject: reference,
      missing: ['{{company}}'],
      html: expect.stringContaining('<strong>{{company}}</strong>'),
    })
    const held = await makeContact({ quarantinedAt: new Date() })
    expect((await reply(held.reference)).statusCode).toBe(409)
    expect((await reply('W-none')).statusCode).toBe(404)
  })

  test('what a visitor wrote is text in a reply: no link, no formatting, and no field', async () => {
    const problem = '[Pay here](https://evil.example) **now** `x` <b>x</b> ![a](https://evil.example/x.png) {{callLink}} {{nonsense}}'
    const { reference } = await makeContact({ name: '[Ada](https://evil.example) _L_', problem, company: '{{company}}' })
    const given = { subject: '{{name}}', text: 'Hi {{firstName}}, about **{{problem}}** of {{company}}: {{callLink}}' }
    const preview = (await call('POST', `/api/leads/${reference}/reply/preview`, given)).json()
    const written = (await reply(reference, given)).json()
    for (const { html } of [preview, written]) {
      expect(html.replaceAll(/<\/?a\b[^>]*>/g, '').replaceAll('&#x3C;', '<')).toContain(`about <strong>${problem}</strong> of {{company}}`)
      // An address that a visitor wrote is a link to itself.
      for (const [, to, text] of html.matchAll(/<a href="([^"]*)">(.*?)<\/a>/g)) expect(text).toBe(to)
    }
    expect(written.subject).toBe('[Ada](https://evil.example) _L_')
    // Undone and sent again, it is the same.
    const draft = (await call('POST', `/api/lead-messages/${written.id}/cancel`)).json()
    expect((await reply(reference, draft)).json().html).toBe(written.html)
  })

  test('header injection: by the subject, the name of the sender, and the names of files', async () => {
    const evil = await signIn('staff', {
      userMetadata: JSON.stringify({ first_name: 'Eve\r\nBcc: a@example.com', last_name: '" <x@example.com>' }),
    })
    const { reference } = await makeContact()
    const file = (
      await upload(reference, 'a\r\nContent-Type: text/html\r\n\r\n<b>.txt', Buffer.from('a'), 'type=a/b%0d%0aX: y&use=reply', evil.headers)
    ).json()
    expect(file).toMatchObject({ type: 'application/octet-stream' })
    const { id } = (await reply(reference, { subject: 'Hi\r\nBcc: b@example.com', fileIds: [file.id] }, evil.headers)).json()
    await makeDue()
    startJobs()
    await reaches(id, 'sent')
    const [email] = server.received
    expect(email).toMatchObject({ from: { address: 'hello@winnow.example' }, subject: 'Hi Bcc: b@example.com' })
    expect(email?.bcc).toBeUndefined()
    expect(email?.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(email?.attachments).toHaveLength(1)
  })

  test('more than 15 MB, files of other people or leads, and everyone who is not of the staff', async () => {
    const [{ reference }, other] = [await makeContact(), await makeContact()]
    const half = Buffer.alloc(MOST_FILE_BYTES / 2 + 1)
    const [one, two] = [(await upload(reference, 'a.bin', half)).json(), (await upload(reference, 'b.bin', half)).json()]
    const refused = await reply(reference, { fileIds: [one.id, two.id] })
    expect([refused.statusCode, refused.json().errors]).toEqual([422, { fileIds: 'All attachments together can have at most 15 MB.' }])
    expect((await upload(reference, 'c.bin', Buffer.alloc(MOST_FILE_BYTES + 1))).statusCode).toBe(413)
    expect((await upload(reference, 'd.bin', Buffer.alloc(0))).statusCode).toBe(422)
    for (const [where, headers] of [
      [other.reference, staff.headers],
      [reference, colleague.headers],
    ] as const)
      expect((await reply(where, { fileIds: [one.id] }, headers)).statusCode).toBe(422)
    expect(await db.selectFrom('leadMessages').select('id').execute()).toEqual([])
    const id = randomUUID()
    expect((await reply(reference, { id })).statusCode).toBe(201)
    expect((await reply(other.reference, { id })).statusCode).toBe(409)
    expect((await reply(reference, {}, customer.headers)).statusCode).toBe(403)
    expect((await call('GET', `/api/lead-files/${one.id}`, undefined, customer.headers)).statusCode).toBe(403)
    expect((await call('GET', `/api/lead-files/${one.id}`, undefined, {})).statusCode).toBe(401)
  })
})

describe('files of a lead', () => {
  test('are added, listed, downloaded and never shown by the browser, and removed with their bytes', async () => {
    const { id: contactId, reference } = await makeContact()
    const file = (await upload(reference, '../e"vil ü.html', Buffer.from('<script>'), 'type=text/html')).json()
    expect(file).toMatchObject({ name: 'e"vil ü.html', type: 'text/html', size: 8, source: 'staff' })
    expect((await call('GET', `/api/leads/${reference}/files`)).json()).toEqual([file])
    const download = await call('GET', `/api/lead-files/${file.id}`)
    expect(download.body).toBe('<script>')
    expect(download.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="e_vil _.html"; filename*=UTF-8''e%22vil%20%C3%BC.html`,
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const { storedAs } = await db.selectFrom('leadFiles').select('storedAs').executeTakeFirstOrThrow()
    // The row is there: the job for a lost upload leaves the bytes.
    await run('lead-files.remove')
    expect((await openFile(storedAs))?.stream.destroy()).toBeDefined()
    expect((await call('DELETE', `/api/lead-files/${file.id}`)).statusCode).toBe(204)
    expect((await call('DELETE', `/api/lead-files/${file.id}`)).statusCode).toBe(404)
    await run('lead-files.remove')
    expect(await openFile(storedAs)).toBeUndefined()

    // The files of an erased lead go as well, and so do forgotten attachments.
    await upload(reference, 'a.txt', Buffer.from('a'))
    await upload(reference, 'b.txt', Buffer.from('b'), 'use=lead')
    await db
      .updateTable('leadFiles')
      .set({ createdAt: new Date(Date.now() - 8 * 86_400_000) })
      .execute()
    await jobOf('lead-files.forget-drafts').run(null, { id: randomUUID(), attempt: 1, signal: new AbortController().signal })
    const rest = await db.selectFrom('leadFiles').select(['name', 'storedAs']).execute()
    expect(rest.map(({ name }) => name)).toEqual(['b.txt'])
    await db.deleteFrom('contacts').where('id', '=', contactId).execute()
    await run('lead-files.remove')
    expect(await openFile(rest[0]?.storedAs ?? 'none')).toBeUndefined()
  })

  test('of a deleted lead are not found', async () => {
    const { id: contactId, reference } = await makeContact()
    const { id } = (await upload(reference, 'plan.txt', Buffer.from('secret'), 'use=lead')).json()
    const download = async () => (await call('GET', `/api/lead-files/${id}`)).statusCode
    expect(await download()).toBe(200)
    await db.updateTable('contacts').set({ deletedAt: new Date() }).where('id', '=', contactId).execute()
    expect(await download()).toBe(404)
  })

  test('a received email is a document without scripts that loads nothing from elsewhere until asked', async () => {
    const { id: contactId, email } = await makeContact()
    const received = await insert(db, 'leadMessages', {
      contactId,
      direction: 'in',
      state: 'received',
      messageId: '<x@example.com>',
      fromAddress: email,
      // As `cleanEmailHtml` stores it.
      html: '<p>Hi <img alt="a" data-remote-src="https://example.com/a.png"></p>',
      hasRemoteContent: true,
    })
    const closed = await call('GET', `/api/lead-messages/${received.id}/html`)
    expect(closed.headers['content-security-policy']).toMatch(/default-src 'none'.*img-src data:;.*sandbox (?!.*allow-scripts)/)
    expect(closed.headers['x-frame-options']).toBe('SAMEORIGIN')
    expect(closed.body).toContain('<p>Hi <img alt="a" data-remote-src=')
    expect(closed.body).not.toContain(' src=')
    const open = await call('GET', `/api/lead-messages/${received.id}/html?remote=1`)
    expect(open.headers['content-security-policy']).toMatch(/default-src 'none'.*img-src https: data:.*sandbox (?!.*allow-scripts)/)
    expect(open.body).toContain('<img alt="a" src="https://example.com/a.png">')
    expect((await call('GET', `/api/lead-messages/${received.id}/html`, undefined, customer.headers)).statusCode).toBe(403)
  })
})

test('templates: three to begin with; added, changed with a conflict told, ordered and deleted', async () => {
  const list = async () => (await call('GET', '/api/lead-templates')).json().map(({ name }: { name: string }) => name)
  expect(await list()).toEqual(['First reply', 'Book a call', 'Follow-up'])
  const given = { name: 'Offer', subject: 'Our offer', text: 'Hi {{firstName}}' }
  const added = (await call('POST', '/api/lead-templates', given)).json()
  expect((await call('POST', '/api/lead-templates', given)).json().errors).toEqual({ name: 'Another template has this name.' })
  const change = { ...given, name: 'Offer 2', base: added.updatedAt }
  expect((await call('PATCH', `/api/lead-templates/${added.id}`, change)).json()).toMatchObject({ name: 'Offer 2' })
  const conflict = await call('PATCH', `/api/lead-templates/${added.id}`, change, colleague.headers)
  expect([conflict.statusCode, conflict.json().code]).toEqual([409, 'template_changed'])
  await call('PUT', '/api/lead-templates/order', { ids: [added.id] })
  expect(await list()).toEqual(['Offer 2', 'First reply', 'Book a call', 'Follow-up'])
  expect((await call('DELETE', `/api/lead-templates/${added.id}`)).json()).toMatchObject({ name: 'Offer 2' })
  expect((await call('DELETE', `/api/lead-templates/${added.id}`)).statusCode).toBe(404)
  expect(await list()).toHaveLength(3)
  expect((await call('PUT', '/api/leads/signature', { text: ' Grace \r\n' })).json()).toEqual({ text: 'Grace' })
  const { reference } = await makeContact()
  expect((await editor(reference)).signature).toBe('Grace')
  expect((await editor(reference, colleague.headers)).signature).toBe('')
})
