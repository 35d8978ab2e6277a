import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { insertOrganization } from '#app/organizations/organization/organization.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { correctInvoice, issueCreditNote, issueInvoice } from '#app/billing/invoices/invoice.server.ts'
import { invoiceXml } from '#app/billing/invoices/xml.server.ts'
import { fulfilOrder } from '#app/billing/orders/fulfilment.server.ts'
import { forgetLimits } from '#test/auth.ts'
import { startApp } from '#test/app.ts'
import { emailsTo } from '#test/emails.ts'
import { makeContact, makeOwner, signIn } from '#test/factories.ts'
import { saveBilling } from '#test/invoices.ts'
import { jobOf } from '#test/job.ts'
import { lettersIn } from '#test/pdf.ts'
import { onDepositPaid } from './project-start.server.ts'
import { type Proposal, proposal as proposalSchema, type ProposalContent } from './proposal.ts'
import { readSigned } from './signed-document.ts'
import { isOurSignature } from './signing-key.server.ts'
import { tendProposals } from './tend.server.ts'

const app = await startApp()
await makeOwner()
const staff = await signIn('staff')
const DAY = 86_400_000

const started: string[] = []
onDepositPaid(async (_trx, { id }) => void started.push(id))

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

async function api(method: Method, url: string, payload?: object, headers: Record<string, string> = {}) {
  return app.inject({ method, url, headers: { ...staff.headers, ...headers }, ...(payload && { payload }) })
}

async function done(method: Method, url: string, payload?: object): Promise<Proposal> {
  const reply = await api(method, url, payload)
  expect([url, reply.statusCode < 300 ? '' : reply.body]).toEqual([url, ''])
  return proposalSchema.parse(reply.json())
}

/** A fixed line of 1,000.00 and an optional one of 200.00 less 10%. */
const lines: ProposalContent['lines'] = [
  {
    id: 'a1',
    title: 'Prices of 40 shops',
    detail: 'Every morning',
    quantity: 2000,
    unitAmount: 50_000,
    discountShare: 0,
    isOptional: false,
    isChosen: false,
  },
  {
    id: 'b2',
    title: 'A dashboard',
    detail: '',
    quantity: 1000,
    unitAmount: 20_000,
    discountShare: 1000,
    isOptional: true,
    isChosen: false,
  },
]

async function draft(given: Partial<ProposalContent> = {}) {
  const contact = await makeContact()
  const begun = await done('POST', `/api/leads/${contact.reference}/proposals`, { offer: 'custom-scraping' })
  const content = { ...begun.content, lines, ...given }
  return { contact, proposal: await done('PUT', `/api/proposals/${begun.id}`, content) }
}

async function sent(given: Partial<ProposalContent> = {}) {
  const { contact, proposal } = await draft(given)
  const found = await done('POST', `/api/proposals/${proposal.id}/send`)
  return { contact, proposal: found, page: new URL(found.url).pathname, id: found.id }
}

const visitor = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }

async function post(page: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return app.inject({ method: 'POST', url: page, headers: { ...visitor, ...headers }, payload: new URLSearchParams(fields).toString() })
}

const buyer = { company: 'Acme Retail', country: 'DE', business: 'yes', name: 'Lin Chao' }

async function codeTo(address: string): Promise<string> {
  const { data } = (await emailsTo(address)).findLast(({ kind }) => kind === 'proposal-code') ?? { data: {} }
  return data.code
}

async function askCode(page: string, email: string, fields: Record<string, string> = {}) {
  const reply = await post(page, { ...buyer, ...fields, intent: 'code' })
  const digest = /name="digest" value="([^"]+)"/.exec(reply.body)?.[1] ?? ''
  return { reply, digest, code: await codeTo(email) }
}

async function accepted(given: Partial<ProposalContent> = {}, fields: Record<string, string> = {}) {
  const all = await sent(given)
  await app.inject({ url: all.page })
  const { digest, code } = await askCode(all.page, all.contact.email, fields)
  const signing = { ...buyer, ...fields, intent: 'sign', digest, code, consent: 'yes', authority: 'yes' }
  const reply = await post(all.page, signing)
  expect([reply.statusCode, reply.headers['location']]).toEqual([303, `${all.page}#signed`])
  return { ...all, signing, row: await rowOf(all.id) }
}

const rowOf = async (id: string) => db.selectFrom('proposals').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const ordersOf = async (id: string) => db.selectFrom('orders').selectAll().where('proposalId', '=', id).orderBy('createdAt').execute()
const kindsOf = async (contactId: string) =>
  (await db.selectFrom('leadEvents').select('kind').where('contactId', '=', contactId).orderBy('createdAt').orderBy('id').execute()).map(
    ({ kind }) => kind,
  )

async function runJobs(kind: string) {
  const jobs = await db.deleteFrom('jobs').where('kind', '=', kind).returning(['id', 'payload']).execute()
  for (const { id, payload } of jobs) await jobOf(kind).run(payload, { id, attempt: 1, signal: new AbortController().signal })
}

describe('staff', () => {
  test('a draft begins from an offer, is saved over no one else’s change, and is sent: that ends the clock, and then it never changes', async () => {
    const { contact, proposal } = await draft()
    expect(proposal).toMatchObject({ state: 'draft', number: 1, net: 100_000, version: 1 })
    const again = await done('POST', `/api/leads/${contact.reference}/proposals`, {})
    expect(again.id).toBe(proposal.id)
    const stale = await api('PUT', `/api/proposals/${proposal.id}`, proposal.content, { 'if-match': '"0"' })
    expect(stale.json()).toMatchObject({ status: 409, code: 'edit_conflict', current: { version: 1 } })

    expect((await app.inject({ url: new URL(proposal.url).pathname })).statusCode).toBe(404)
    expect((await api('GET', new URL(proposal.url).pathname)).body).toContain('Preview. The client cannot see it')

    await done('POST', `/api/proposals/${proposal.id}/send`)
    expect(await emailsTo(contact.email)).toMatchObject([{ kind: 'proposal', data: { net: 100_000 } }])
    expect(
      await db.selectFrom('contacts').select(['proposal', 'answeredAt']).where('id', '=', contact.id).executeTakeFirst(),
    ).toMatchObject({
      proposal: 'sent',
      answeredAt: expect.any(Date),
    })
    expect((await api('PUT', `/api/proposals/${proposal.id}`, proposal.content)).json()).toMatchObject({ code: 'proposal_sent' })
    await expect(sql`UPDATE proposals SET content = '{}' WHERE id = ${proposal.id}`.execute(db)).rejects.toThrow('never changes')
    expect((await api('POST', `/api/proposals/${proposal.id}/send`)).statusCode).toBe(409)
  })

  test('a draft with an empty line is there at once, and cannot be sent before it says what it is for', async () => {
    const { reference } = await makeContact()
    const { id } = await done('POST', `/api/leads/${reference}/proposals`, {})
    expect((await api('POST', `/api/proposals/${id}/send`)).statusCode).toBe(422)
  })

  test('a new version replaces the one before when it is sent; its old link says so', async () => {
    const { contact, page } = await sent()
    const next = await done('POST', `/api/leads/${contact.reference}/proposals`, {})
    expect(next).toMatchObject({ state: 'draft', number: 2 })
    await done('POST', `/api/proposals/${next.id}/send`)
    const old = await app.inject({ url: page })
    expect(old.body).toContain('There is a newer version of this proposal')
    expect(old.body).toContain(new URL(next.url).pathname)
    expect((await post(page, { ...buyer, intent: 'code' })).statusCode).toBe(409)
  })

  test('customers and strangers reach nothing of it', async () => {
    const { proposal, contact } = await draft()
    const customer = await signIn('customer')
    for (const [method, url] of [
      ['GET', `/api/proposals/${proposal.id}`],
      ['GET', `/api/leads/${contact.reference}/proposals`],
      ['POST', `/api/proposals/${proposal.id}/send`],
      ['POST', `/api/proposals/${proposal.id}/final`],
    ] as const) {
      expect((await app.inject({ method, url, headers: customer.headers })).statusCode).toBe(403)
      expect((await app.inject({ method, url, headers: { 'sec-fetch-site': 'same-origin' } })).statusCode).toBe(401)
    }
    expect((await app.inject({ url: `/proposal/${'a'.repeat(72)}` })).statusCode).toBe(404)
  })
})

describe('the client', () => {
  test('reads it with its terms, chooses options, asks about a line and gets the answer; staff are told', async () => {
    const { contact, page, id } = await sent()
    const first = await app.inject({ url: page })
    expect(first.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    expect(first.body.indexOf('id="terms"')).toBeLessThan(first.body.indexOf('id="accept"'))
    expect(first.body).toContain('$1,000.00')
    const chosen = await post(page, { intent: 'choose', 'line-b2': 'on' })
    expect(chosen.headers['location']).toBe(`${page}?lines=a1.b2#total`)
    expect((await app.inject({ url: `${page}?lines=a1.b2` })).body).toContain('$1,180.00')

    expect((await post(page, { intent: 'ask-a1', 'question-a1': ' ' })).body).toContain('Write your question first.')
    expect((await post(page, { intent: 'ask-a1', 'question-a1': 'Also on Sundays?' })).statusCode).toBe(200)
    const { questions } = await done('GET', `/api/proposals/${id}`)
    expect(questions).toMatchObject([{ lineId: 'a1', question: 'Also on Sundays?', answer: '' }])
    await done('PUT', `/api/proposals/${id}/questions/${questions[0]?.id}`, { answer: 'Every day.' })
    expect((await app.inject({ url: page })).body).toContain('Every day.')
    expect((await emailsTo(contact.email)).map(({ kind }) => kind)).toEqual(['proposal', 'proposal-answer'])
    expect(await kindsOf(contact.id)).toEqual(
      expect.arrayContaining(['proposal_sent', 'proposal_opened', 'proposal_question', 'proposal_answer']),
    )
  })

  test('a question loses nothing that was chosen and typed, also once a code was sent, and it is taken once', async () => {
    await forgetLimits()
    const { page, contact, id } = await sent({
      lines: lines.map((line, at) => (at === 0 ? { ...line, range: { least: 1000, most: 5000 } } : line)),
    })
    const typed = { ...buyer, 'line-b2': 'on', 'quantity-a1': '3', 'question-b2': 'Later?' }
    const isKept = (body: string) => {
      expect(body).toMatch(/name="line-b2"[^>]*checked=""/)
      expect(body).toMatch(/name="quantity-a1"[^>]*value="3"|value="3"[^>]*name="quantity-a1"/)
      expect(body).toContain(buyer.name)
      expect(body).toContain('Later?')
    }
    const asking = { ...typed, intent: 'ask-a1', 'question-a1': 'Also on Sundays?' }
    const asked = await Promise.all([1, 2, 3].map(async () => post(page, asking)))
    for (const { statusCode, body } of asked) {
      expect([statusCode, body.includes('Your question was sent.')]).toEqual([200, true])
      isKept(body)
    }
    expect((await done('GET', `/api/proposals/${id}`)).questions).toMatchObject([{ lineId: 'a1', question: 'Also on Sundays?' }])
    isKept((await post(page, { ...typed, intent: 'ask-a1', 'question-a1': '' })).body)
    isKept((await post(page, { ...typed, intent: 'choose' })).body)
    isKept((await post(page, { ...typed, intent: 'decline', reason: 'x'.repeat(1001) })).body)
    const { digest } = await askCode(page, contact.email, { 'line-b2': 'on', 'quantity-a1': '3' })
    const late = await post(page, { ...typed, intent: 'ask-', 'question-': 'And the terms?', digest })
    expect(late.body).toContain(`name="digest" value="${digest}"`)
    await forgetLimits()
  })

  test('chooses a quantity within the limits; a discount on the whole is taken off, and the signed document, deposit and final invoice have both', async () => {
    const [fixed, option] = lines
    if (!fixed || !option) throw new Error('Two lines are needed.')
    const given = { lines: [{ ...fixed, range: { least: 1000, most: 5000 } }, option], discountShare: 1000 }
    const wrong = await draft()
    for (const [change, field] of [
      [{ lines: [{ ...fixed, range: { least: 3000, most: 5000 } }] }, 'lines.0.quantity'],
      [{ lines: [{ ...fixed, range: { least: 2000, most: 2000 } }] }, 'lines.0.range.most'],
      [{ lines, discountAmount: 100_001 }, 'discountAmount'],
      [{ lines, discountAmount: 1, discountShare: 1 }, 'discountAmount'],
    ] as const) {
      const refused = await api('PUT', `/api/proposals/${wrong.proposal.id}`, { ...wrong.proposal.content, ...change })
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, [field]])
    }

    const { page, contact, id, proposal } = await sent(given)
    expect(proposal.net).toBe(90_000)
    for (const quantity of ['0', '6', '2.5', 'many', ''])
      expect((await post(page, { intent: 'choose', 'quantity-a1': quantity })).body).toContain('Enter a whole number from 1 to 5.')
    expect((await post(page, { ...buyer, intent: 'code', 'quantity-a1': '6' })).statusCode).toBe(422)
    const chosen = await post(page, { intent: 'choose', 'line-b2': 'on', 'quantity-a1': '3' })
    expect(chosen.headers['location']).toBe(`${page}?lines=a1-3000.b2#total`)
    // 3 × 500.00 and 180.00, less 10%.
    const read = async (lines: string) => (await app.inject({ url: `${page}?lines=${lines}` })).body
    expect(await read('a1-3000.b2')).toContain('$1,512.00')
    expect(await read('a1-9000.b2')).toContain('$1,062.00')

    const choice = { 'line-b2': 'on', 'quantity-a1': '3' }
    const { digest, code } = await askCode(page, contact.email, choice)
    const signing = { ...buyer, ...choice, intent: 'sign', digest, code, consent: 'yes', authority: 'yes' }
    expect((await post(page, { ...signing, 'quantity-a1': '4' })).body).toContain('has changed since the code was sent')
    expect((await post(page, signing)).statusCode).toBe(303)
    const signed = readSigned((await rowOf(id)).signedDocument ?? '')
    expect(signed).toMatchObject({ net: 151_200, quantities: { a1: 3000 }, content: { discountShare: 1000 } })
    expect((await app.inject({ url: page })).body).toContain('$1,512.00')

    const [deposit] = await ordersOf(id)
    await transaction(async (trx) => fulfilOrder(trx, deposit?.id ?? ''))
    await done('POST', `/api/proposals/${id}/final`)
    const [, final] = await ordersOf(id)
    expect(final?.lines).toMatchObject([
      { quantity: 3000, net: 150_000 },
      { net: 18_000 },
      { title: 'Discount', detail: '10%', net: -16_800, isAllowance: true },
      { quantity: -1000 },
    ])
    expect((deposit?.gross ?? 0) + (final?.gross ?? 0)).toBe(signed.gross)
    const invoice = await db
      .selectFrom('invoices')
      .select('document')
      .where('orderId', '=', final?.id ?? '')
      .executeTakeFirstOrThrow()
    const xml = await invoiceXml({ ...invoice.document, format: 'xrechnung' })
    expect(xml).toContain('<cbc:AllowanceTotalAmount currencyID="USD">168.00</cbc:AllowanceTotalAmount>')
    expect(xml.match(/<cac:InvoiceLine>/g)).toHaveLength(3)
  })

  test('declines with a reason, and nothing can be accepted any more', async () => {
    const { contact, page, id } = await sent()
    expect((await post(page, { intent: 'decline', reason: 'Too expensive' })).statusCode).toBe(303)
    expect(await rowOf(id)).toMatchObject({ state: 'declined', reason: 'Too expensive' })
    expect((await post(page, { ...buyer, intent: 'code' })).body).toContain('This proposal was declined.')
    expect(await kindsOf(contact.id)).toContain('proposal_declined')
  })

  test('two presses of the button that declines are one: nothing is called unsent, and another reason is', async () => {
    await forgetLimits()
    const { contact, page, id } = await sent()
    const declining = { intent: 'decline', reason: 'Too expensive\r\nfor us ' }
    const replies = await Promise.all([post(page, declining), post(page, declining)])
    replies.push(await post(page, declining))
    expect(replies.map(({ statusCode, headers }) => [statusCode, headers['location']])).toEqual(replies.map(() => [303, page]))
    expect((await kindsOf(contact.id)).filter((kind) => kind === 'proposal_declined')).toHaveLength(1)
    const other = await post(page, { ...declining, reason: 'We chose another' })
    expect([other.statusCode, other.body.includes('This was not sent.')]).toEqual([409, true])
    expect((await rowOf(id)).reason).toBe('Too expensive\nfor us')
  })

  test('signs with the code that went to the addressee: company, order of the deposit and evidence are one transaction', async () => {
    const { contact, row, id, page, signing } = await accepted({}, { 'line-b2': 'on' })
    const signed = readSigned(row.signedDocument ?? '')
    expect(signed).toMatchObject({ net: 118_000, chosen: ['a1', 'b2'], buyer: { company: 'Acme Retail', countryCode: 'DE' } })
    expect(row.signedHash).toBe(
      createHash('sha256')
        .update(row.signedDocument ?? '')
        .digest('hex'),
    )
    expect(Buffer.from(row.evidenceSealed ?? []).toString('latin1')).not.toContain('Lin Chao')
    const person = await db.selectFrom('people').select('organizationId').where('id', '=', contact.personId).executeTakeFirst()
    expect(person?.organizationId).toBe(row.organizationId)
    expect(await ordersOf(id)).toMatchObject([
      { kind: 'deposit', state: 'open', method: 'invoice', gross: signed.deposit, organizationId: row.organizationId },
    ])
    expect(signed.deposit).toBe(signed.gross / 2)
    expect(await kindsOf(contact.id)).toEqual(expect.arrayContaining(['proposal_opened', 'proposal_accepted']))
    // Another tab.
    const second = await post(page, signing)
    expect([second.statusCode, second.body.includes('This proposal is accepted.')]).toEqual([409, true])
    expect(await ordersOf(id)).toHaveLength(1)
    await expect(sql`UPDATE proposals SET signed_hash = 'x' WHERE id = ${id}`.execute(db)).rejects.toThrow('never changes')
    // A chosen line is not called optional, and there is no form for questions.
    const { body } = await app.inject({ url: page })
    for (const gone of ['Optional', 'Ask about the proposal']) expect(body).not.toContain(gone)
    // The client may have no account, so the invoice leads to this page.
    await runJobs('invoices.make')
    const invoice = (await emailsTo(contact.email)).findLast(({ kind }) => kind === 'invoice')
    expect(invoice?.data).toMatchObject({ link: expect.stringContaining(page), isProposal: true })
  })

  test('two tabs that sign at the same moment make one order', async () => {
    const { page, contact, id } = await sent()
    const { digest, code } = await askCode(page, contact.email)
    const signing = { ...buyer, intent: 'sign', digest, code, consent: 'yes', authority: 'yes' }
    const replies = await Promise.all([post(page, signing), post(page, signing)])
    expect(replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)[0]).toBe(303)
    expect(await ordersOf(id)).toHaveLength(1)
  })

  test.each([
    ['no code', { code: '' }, 'Enter the digits of the code'],
    ['a code with a slip', { code: '00000x' }, 'Enter the digits of the code'],
    ['a wrong code', { code: '0000' }, 'This code is wrong.'],
    ['no consent', { consent: '' }, 'Agree to sign electronically'],
    ['no authority', { authority: '' }, 'Confirm that you may sign'],
    ['other lines than the code was for', { 'line-b2': 'on' }, 'has changed since the code was sent'],
    ['another company', { company: 'Evil' }, 'has changed since the code was sent'],
  ])('with %s nothing is signed', async (_what, change, sentence) => {
    const { page, contact, id } = await sent()
    const { digest, code } = await askCode(page, contact.email)
    const signing = { ...buyer, intent: 'sign', digest, code, consent: 'yes', authority: 'yes', ...change }
    const reply = await post(page, Object.fromEntries(Object.entries(signing).filter(([, value]) => value !== '')))
    expect([reply.statusCode, reply.body.includes(sentence)]).toEqual([422, true])
    expect((await rowOf(id)).state).toBe('sent')
  })

  test('a forgotten box loses nothing that was typed, the code neither', async () => {
    const { page, contact } = await sent()
    const { digest, code } = await askCode(page, contact.email)
    const reply = await post(page, { ...buyer, intent: 'sign', digest, code, consent: 'yes' })
    expect([reply.statusCode, reply.body.includes(`value="${code}"`)]).toEqual([422, true])
  })

  test('a code has five tries; staff never sign; facts that are missing are named at their fields', async () => {
    const { page, contact, id } = await sent()
    const missing = await post(page, { intent: 'code' })
    for (const sentence of [
      'Enter the name of your company.',
      'Choose a country.',
      'We sell to businesses only.',
      'Enter your first and last name.',
    ])
      expect(missing.body).toContain(sentence)
    const { digest, code } = await askCode(page, contact.email)
    const signing = { ...buyer, intent: 'sign', digest, consent: 'yes', authority: 'yes' }
    // A field that was left empty is no try.
    for (const empty of ['', ' ', '-', '12', '12ab', 'code']) await post(page, { ...signing, code: empty })
    for (let at = 0; at < 5; at += 1) {
      const wrong = await post(page, { ...signing, code: code === '111111' ? '222222' : '111111' })
      expect(wrong.body).toContain('This code is wrong.')
    }
    expect((await post(page, { ...signing, code })).body).toContain('Too many wrong codes were entered')
    const again = await post(page, { ...signing, intent: 'code' })
    expect(again.body).toContain(`We emailed another code to ${contact.email}. The earlier code no longer works.`)
    expect((await post(page, { ...signing, code, intent: 'code' }, { cookie: staff.headers.cookie })).body).toContain(
      'Staff do not accept for a client.',
    )
    expect((await rowOf(id)).state).toBe('sent')
  })

  test('a proposal that has expired or was withdrawn says so, also with a good code', async () => {
    const { page, contact, id } = await sent()
    const { digest, code } = await askCode(page, contact.email)
    await done('POST', `/api/proposals/${id}/withdraw`, { reason: '' })
    const reply = await post(page, { ...buyer, intent: 'sign', digest, code, consent: 'yes', authority: 'yes' })
    expect([reply.statusCode, reply.body.includes('We have withdrawn this proposal.')]).toEqual([409, true])

    const other = await sent()
    await tendProposals(new Date(Date.now() + 30 * DAY))
    expect((await app.inject({ url: other.page })).body).toContain('This proposal has expired.')
    expect(await kindsOf(other.contact.id)).toContain('proposal_expired')
  })

  test('a page that was open until the offer ended says so once, and what was typed into it goes along by email', async () => {
    await forgetLimits()
    const { page, id, proposal } = await sent()
    await db.updateTable('proposals').set({ state: 'expired', settledAt: new Date() }).where('id', '=', id).execute()
    const late = await post(page, { intent: 'ask-a1', 'question-a1': 'Also on Sundays?' })
    expect(late.statusCode).toBe(409)
    expect(late.body.split('This proposal has expired. Write to us').length - 1).toBe(1)
    expect(late.body).toContain(`?subject=${proposal.reference}&amp;body=Also%20on%20Sundays%3F`)
  })

  test('a question that is typed while a colleague signs is refused with its text, which goes along by email', async () => {
    await forgetLimits()
    const { page, proposal } = await accepted()
    const late = await post(page, { intent: 'ask-a1', 'question-a1': 'Also on Sundays?', 'line-b2': 'on' })
    expect(late.statusCode).toBe(409)
    // The signed choices, not those of the form.
    expect(late.body).toContain('Not chosen')
    expect(late.body).not.toContain('$1,180.00')
    expect(late.body).toMatch(/role="alert"[^>]*>This proposal is accepted\./)
    expect(late.body.split('This proposal is accepted.').length - 1).toBe(1)
    expect(late.body).toContain('This was not sent. You can email it to us instead:')
    expect(late.body).toContain(`?subject=${proposal.reference}&amp;body=Also%20on%20Sundays%3F`)
    // The address of the form names the line. Where the browser finds it, the sentence above does not get the focus.
    expect(late.body).not.toContain('id="line-a1"')
    const plain = (await app.inject({ url: page })).body
    expect(plain).toContain('This proposal is accepted.')
    expect(plain).not.toContain('role="alert"')
    expect(plain).not.toContain('This was not sent.')
  })

  test('a press too many is refused where it was made: at the question, at the total, above the page, in the form', async () => {
    await forgetLimits()
    const [open, signed] = [await sent(), await accepted()]
    for (let count = 0; count < 60; count += 1) await post(signed.page, { intent: 'pay' })
    const often = 'That was too often. Please try again in 10 minutes.'
    const refused = async (page: string, fields: Record<string, string>) => {
      const { statusCode, body } = await post(page, fields)
      expect([statusCode, body.split(often).length - 1]).toEqual([429, 1])
      return body
    }
    const asked = await refused(open.page, { intent: 'ask-a1', 'question-a1': 'Also on Sundays?' })
    expect(asked).toMatch(/id="field-question-a1-error"[^>]*>(<[^>]*>)*That was too often/)
    const placeOf = (body: string) => ['id="terms"', 'id="total"', 'id="accept"'].map((place) => body.indexOf(place) < body.indexOf(often))
    expect(placeOf(await refused(open.page, { intent: 'choose' }))).toEqual([false, true, false])
    expect(placeOf(await refused(open.page, { intent: 'decline', reason: 'No' }))).toEqual([false, false, false])
    expect(placeOf(await refused(open.page, { ...buyer, intent: 'code' }))).toEqual([true, true, true])
    const paying = await refused(signed.page, { intent: 'pay', order: (await ordersOf(signed.id))[0]?.id ?? '' })
    expect(paying.indexOf(often)).toBeLessThan(paying.indexOf('id="signed"'))
    await forgetLimits()
  })

  test('an expired or declined offer leads to the next version, but only the person who got both', async () => {
    const next = async (reference: string) => {
      const { id } = await done('POST', `/api/leads/${reference}/proposals`, {})
      return new URL((await done('POST', `/api/proposals/${id}/send`)).url).pathname
    }
    const { page, id, contact } = await sent()
    await db.updateTable('proposals').set({ state: 'expired', settledAt: new Date() }).where('id', '=', id).execute()
    const newer = await next(contact.reference)
    const old = await app.inject({ url: page })
    expect(old.body).toContain('This proposal has expired. There is a newer version.')
    expect(old.body).toContain(`href="${newer}"`)

    await post(newer, { intent: 'decline' })
    await db.updateTable('contacts').set({ email: 'right@example.com' }).where('id', '=', contact.id).execute()
    const third = await next(contact.reference)
    const declined = await app.inject({ url: newer })
    expect(declined.body).toContain('Tell us if you changed your mind')
    expect(declined.body).not.toContain(third)
    await post(third, { intent: 'decline' })
    await forgetLimits()
  })

  test('the last day of an offer ends where the business is', async () => {
    await saveBilling({ zone: 'America/Los_Angeles' })
    const { page, id } = await sent({ validUntil: '2099-12-31' })
    expect((await rowOf(id)).validUntil).toEqual(new Date('2100-01-01T08:00:00Z'))
    expect((await app.inject({ url: page })).body).toContain('December 31, 2099')
    await saveBilling({ zone: 'UTC' })
  })

  test('a colleague who may buy for the company signs with their own account; a forwarded link is only read', async () => {
    const { page, contact, id } = await sent()
    const organizationId = await transaction(async (trx) => insertOrganization(trx, 'Acme Retail'))
    await db.updateTable('organizations').set({ countryCode: 'DE', kind: 'business' }).where('id', '=', organizationId).execute()
    await db.updateTable('people').set({ organizationId }).where('id', '=', contact.personId).execute()
    const [colleague, reader] = [await signIn('customer'), await signIn('customer')]
    for (const [person, role] of [
      [colleague, 'buyer'],
      [reader, 'reader'],
    ] as const)
      await db.insertInto('organizationMembers').values({ organizationId, userId: person.user.id, role }).execute()
    await post(page, { name: 'Reading Only', intent: 'code' }, { cookie: reader.headers.cookie })
    expect(await codeTo(reader.user.email ?? '')).toBeUndefined()
    expect(await codeTo(contact.email)).toMatch(/^\d+$/)

    const asked = await post(page, { name: 'Grace Hopper', intent: 'code' }, { cookie: colleague.headers.cookie })
    const digest = /name="digest" value="([^"]+)"/.exec(asked.body)?.[1] ?? ''
    const code = await codeTo(colleague.user.email ?? '')
    const signing = { name: 'Grace Hopper', intent: 'sign', digest, code, consent: 'yes', authority: 'yes' }
    expect((await post(page, signing, { cookie: reader.headers.cookie })).body).toContain('Ask for a code first.')
    expect((await post(page, signing, { cookie: colleague.headers.cookie })).statusCode).toBe(303)
    expect(await rowOf(id)).toMatchObject({ state: 'accepted', signedBy: colleague.user.id, organizationId })

    const own = async (person: typeof reader) =>
      (await app.inject({ url: '/api/own-proposals', headers: { ...person.headers, organization: organizationId } })).json().proposals
    expect(await own(colleague)).toMatchObject([{ id, state: 'accepted', net: 100_000, path: page }])
    expect(await own(reader)).toMatchObject([{ id, state: 'accepted', net: null, path: null }])
  })
})

describe('after the signature', () => {
  test('the paid deposit wins the lead with its value and starts the project once; the final payment names the deposit, and both are the whole', async () => {
    const { id, contact, row } = await accepted()
    expect((await api('POST', `/api/proposals/${id}/final`)).json()).toMatchObject({ code: 'deposit_open' })
    const [deposit] = await ordersOf(id)
    await transaction(async (trx) => {
      await issueInvoice(trx, deposit?.id ?? '', 'prepayment')
      await fulfilOrder(trx, deposit?.id ?? '')
    })
    expect(started.filter((each) => each === id)).toHaveLength(1)
    const lead = await db
      .selectFrom('leads')
      .innerJoin('leadStages', 'leadStages.id', 'leads.stageId')
      .select(['valueCents', 'outcome'])
      .where('contactId', '=', contact.id)
      .executeTakeFirst()
    expect(lead).toEqual({ valueCents: 100_000, outcome: 'won' })
    expect(await kindsOf(contact.id)).toEqual(expect.arrayContaining(['deposit_paid', 'project_started', 'stage_changed']))

    await done('POST', `/api/proposals/${id}/final`)
    expect((await api('POST', `/api/proposals/${id}/final`)).json()).toMatchObject({ code: 'final_ordered' })
    const [, final] = await ordersOf(id)
    expect((deposit?.gross ?? 0) + (final?.gross ?? 0)).toBe(readSigned(row.signedDocument ?? '').gross)
    const invoice = await db
      .selectFrom('invoices')
      .select('number')
      .where('orderId', '=', deposit?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(final?.lines.map(({ title }) => title).join()).toContain(invoice.number)
    const books = await db.selectFrom('ledgerEntries').select(['account', 'amount']).where('cause', '=', `sale:${final?.id}`).execute()
    expect(books.find(({ account }) => account === 'revenue')?.amount).toBe(-100_000)
    expect(books.find(({ account }) => account === 'prepayments')?.amount).toBe(deposit?.net)
  })

  test('after a deposit of the whole the final invoice owes nothing, so it is paid', async () => {
    const { id, contact } = await accepted({ depositShare: 10_000 })
    const [deposit] = await ordersOf(id)
    await transaction(async (trx) => {
      await issueInvoice(trx, deposit?.id ?? '', 'prepayment')
      await fulfilOrder(trx, deposit?.id ?? '')
    })
    await done('POST', `/api/proposals/${id}/final`)
    const [, final] = await ordersOf(id)
    expect(final).toMatchObject({ gross: 0, state: 'paid' })
    expect(await kindsOf(contact.id)).toContain('final_paid')
  })

  test('of a deposit that was refunded in part, the final payment takes off what is left', async () => {
    const { id, row } = await accepted()
    const [deposit] = await ordersOf(id)
    await transaction(async (trx) => {
      await issueInvoice(trx, deposit?.id ?? '', 'prepayment')
      await fulfilOrder(trx, deposit?.id ?? '')
    })
    await transaction((trx) => issueCreditNote(trx, { orderId: deposit?.id ?? '', amount: 10_000, reason: 'A smaller start' }))
    await done('POST', `/api/proposals/${id}/final`)
    const [, final] = await ordersOf(id)
    expect((deposit?.gross ?? 0) - 10_000 + (final?.gross ?? 0)).toBe(readSigned(row.signedDocument ?? '').gross)
  })

  test('the final invoice names the corrected invoice of the deposit', async () => {
    const { id } = await accepted()
    const [deposit] = await ordersOf(id)
    const corrected = await transaction(async (trx) => {
      const first = await issueInvoice(trx, deposit?.id ?? '', 'prepayment')
      await fulfilOrder(trx, deposit?.id ?? '')
      return correctInvoice(trx, first.id, 'The name was wrong', {})
    })
    await done('POST', `/api/proposals/${id}/final`)
    const [, final] = await ordersOf(id)
    const { document } = await db
      .selectFrom('invoices')
      .select('document')
      .where('orderId', '=', final?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(document.prepaid).toMatchObject([{ number: corrected.number, gross: deposit?.gross }])
    expect(document.lines.at(-1)?.title).toContain(corrected.number)
  })

  test.each(['x', 'xx'])('long titles with emoji are cut between them, not through one (%s)', async (start) => {
    const title = `${start}${'😀'.repeat(79)}`
    const contact = await makeContact({ problem: `${start}${'😀'.repeat(100)}` })
    const begun = await done('POST', `/api/leads/${contact.reference}/proposals`, { offer: 'custom-scraping' })
    expect(begun.content.title.isWellFormed()).toBe(true)
    const { id } = await accepted({ title })
    const [deposit] = await ordersOf(id)
    expect(deposit?.title.isWellFormed()).toBe(true)
  })

  test('staff begin before the deposit only with a reason', async () => {
    const { id, contact } = await accepted()
    expect((await api('POST', `/api/proposals/${id}/start`, { reason: ' ' })).statusCode).toBe(422)
    expect(await done('POST', `/api/proposals/${id}/start`, { reason: 'The transfer is on its way.' })).toMatchObject({
      startReason: 'The transfer is on its way.',
    })
    expect(await kindsOf(contact.id)).toContain('project_started')
  })

  test('without a deposit the project starts with the signature', async () => {
    const { id } = await accepted({ depositShare: 0 })
    expect(await ordersOf(id)).toEqual([])
    expect(started).toContain(id)
    expect((await rowOf(id)).startedAt).not.toBeNull()
  })

  test('each signature makes a file whose fingerprint we sign; anyone can check it', async () => {
    const { id, page } = await accepted({}, { company: '北京示例科技有限公司', name: 'ليلى حسن' })
    await done('POST', `/api/proposals/${id}/countersign`, { name: 'Ada Owner' })
    expect((await api('POST', `/api/proposals/${id}/countersign`, { name: 'Ada Owner' })).json()).toMatchObject({ code: 'countersigned' })
    await runJobs('proposals.file')
    const files = await db.selectFrom('proposalFiles').selectAll().where('proposalId', '=', id).execute()
    expect(files.map(({ kind }) => kind).toSorted((one, other) => one.localeCompare(other))).toEqual(['accepted', 'countersigned'])
    const pdf = await app.inject({ url: `${page}/signed.pdf` })
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    const letters = lettersIn(pdf.rawPayload)
    expect(Array.from('北京示例科技有限公司حسن').filter((letter) => !letters.includes(letter))).toEqual([])
    const hash = createHash('sha256').update(pdf.rawPayload).digest('hex')
    const jws = (await app.inject({ url: `${page}/signed.jws` })).body
    expect(await isOurSignature(hash, jws)).toBe(true)
    expect(
      await isOurSignature(
        hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
        jws,
      ),
    ).toBe(false)
  })

  test('an erased lead takes its open proposals along, and leaves the contract', async () => {
    const [open, signed] = [await sent(), await accepted()]
    await db.deleteFrom('contacts').where('id', 'in', [open.contact.id, signed.contact.id]).execute()
    expect(await db.selectFrom('proposals').select(['id', 'contactId']).where('id', 'in', [open.id, signed.id]).execute()).toEqual([
      { id: signed.id, contactId: null },
    ])
  })
})

test('reminders come after two and five days, and wait while a question is open', async () => {
  const { id, contact, page } = await sent()
  const kinds = async () => (await emailsTo(contact.email)).filter(({ kind }) => kind === 'proposal-reminder').length
  const after = async (days: number) => {
    await Promise.all([1, 2].map(() => tendProposals(new Date(Date.now() + days * DAY))))
    return kinds()
  }
  expect(await after(1.9)).toBe(0)
  expect(await after(2.1)).toBe(1)
  await post(page, { intent: 'ask-', 'question-': 'Can we talk?' })
  expect(await after(5.1)).toBe(1)
  const { questions } = await done('GET', `/api/proposals/${id}`)
  await done('PUT', `/api/proposals/${id}/questions/${questions[0]?.id}`, { answer: 'Of course.' })
  expect(await after(5.1)).toBe(2)
  expect(await after(9)).toBe(2)
})
