import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, {
    // The forwarded headers come from a trusted proxy, so that only the code itself rejects them.
    TRUST_PROXY: '127.0.0.1',
    API_EXTERNAL_URL: 'http://localhost:3000/auth/v1',
    EXTERNAL_PHONE_ENABLED: 'true',
    SECURITY_MANUAL_LINKING_ENABLED: 'true',
    RATE_LIMITS: 'off',
    SMTP_MAX_FREQUENCY: '0',
    URI_ALLOW_LIST: 'https://app.example',
  })
})

import { disableFailing } from '#app/data-api/webhooks/delivery.server.ts'
import { createWebhookEndpoint } from '#app/data-api/webhooks/endpoint.server.ts'
import { issueInvoice } from '#app/billing/invoices/invoice.server.ts'
import { remindOfInvoices } from '#app/billing/transfers/reminder.server.ts'
import { careForSubscriptions } from '#app/billing/subscriptions/subscription-care.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { setQuota } from '#app/data-api/keys/api-key.server.ts'
import { openKey } from '#app/data-api/keys/key-holder.server.ts'
import { spend } from '#app/data-api/keys/quota.server.ts'
import { tendProposals } from '#app/billing/proposals/tend.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { readEmail } from '#app/mail/emails.server.ts'
import { EMAIL_JOB } from '#app/mail/outbox.server.ts'
import { defaultRules } from '#app/booking/rules/hours.ts'
import { immediateSupply } from '#app/content/withdrawal.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { makeServiceKey } from '#app/auth/sessions/jwt.server.ts'
import { sessionAnswer, type SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { settleTestCheckout } from '#app/billing/payments/test-checkout.server.ts'
import { eventually } from './eventually.ts'
import { startApp } from './app.ts'
import { softAuthenticator } from './authenticator.ts'
import { bearer, PASSWORD, someEmail, VERSION } from './auth.ts'
import { apiOf, guest } from './bookings.ts'
import { applyWaitingEvents, makeOrder as makeDatasetOrder, pressTest, startTestCheckout } from './billing.ts'
import { ada } from './enquiries.ts'
import { makeContact, makeHost, makePost } from './factories.ts'
import { makeCompany, makeOrder } from './invoices.ts'
import { signedInAs } from './signed-in.ts'
import { emailsTo, secretsOf, secretsSoon } from './emails.ts'
import { forgetSteps } from './mfa.ts'
import { subscribe as startSubscription, turnClock } from './subscriptions.ts'
import { codeOf } from './totp.ts'

// Clients control their headers: for any host name in them, each resulting email links to SITE_URL.

const EVIL = 'evil.example'
const lies = {
  host: EVIL,
  'x-forwarded-host': EVIL,
  'x-forwarded-server': EVIL,
  'x-forwarded-proto': 'https',
  'x-forwarded-prefix': `//${EVIL}`,
  'x-original-host': EVIL,
  'x-host': EVIL,
  forwarded: `host=${EVIL};proto=https`,
  referer: `https://${EVIL}/`,
}

const app = await startApp()
startJobs()
afterAll(() => stopJobs())

type Headers = Record<string, string>

async function send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object, headers: Headers = {}) {
  const reply = await app.inject({ method, url, headers: { ...VERSION, ...headers, ...lies }, ...(payload && { payload }) })
  expect([url, reply.statusCode < 400 ? '' : reply.body]).toEqual([url, ''])
  return reply
}

const auth = (url: string, body?: object, session?: SessionAnswer) => send('POST', `/auth/v1${url}`, body, session && bearer(session))
const change = (body: object, session: SessionAnswer) => send('PUT', '/auth/v1/user', body, bearer(session))
const signIn = async (email: string) =>
  sessionAnswer.parse((await auth('/token?grant_type=password', { email, password: PASSWORD })).json())

async function signUp(email = someEmail()) {
  await auth('/signup', { email, password: PASSWORD })
  const { link } = await secretsOf(email, 'confirm-address')
  return { email, session: sessionAnswer.parse((await auth('/verify', { type: 'signup', token_hash: link })).json()) }
}

/** Sign-up, with and without an existing account; forgotten passwords, links and codes; for our pages and for another program. */
async function askForEmails() {
  const { email, session } = await signUp()
  await auth('/signup', { email, password: PASSWORD })
  for (const target of ['', '?redirect_to=https://app.example', `?redirect_to=https://${EVIL}/`]) {
    await auth(`/signup${target}`, { email: someEmail(), password: PASSWORD })
    await auth(`/recover${target}`, { email })
    await auth(`/otp${target}`, { email })
    await auth(`/resend${target}`, { type: 'signup', email })
  }
  await auth('/otp', { phone: '4915112340000' })
  await send('GET', '/auth/v1/reauthenticate', undefined, bearer(session))
  await send('POST', '/auth/v1/invite', { email: someEmail() }, { authorization: `Bearer ${await makeServiceKey(1)}` })
  await secretsSoon(email, 'reset-password', 3)
  await secretsSoon(email, 'sign-in', 3)
}

/** Another address, phone and password, and a removed sign-in method. */
async function changeAccount() {
  const { email, session } = await signUp()
  const moved = someEmail()
  await change({ email: moved }, session)
  for (const [address, kind] of [
    [email, 'email-change-current'],
    [moved, 'email-change-new'],
  ] as const) {
    await auth('/verify', { type: 'email_change', token_hash: (await secretsOf(address, kind)).link })
  }
  for (const phone of ['4915112340001', '4915112340002']) {
    await change({ phone }, session)
    const code = String((await emailsTo(`${phone}@phone.localhost`)).at(-1)?.data.code)
    await auth('/verify', { type: 'phone_change', phone, token: code })
  }
  await change({ password: 'another horse' }, session)
  await change({ email: (await signUp()).email }, session)
  const { id } = await insert(db, 'identities', { userId: session.user.id, provider: 'github', providerId: newId() })
  await send('DELETE', `/auth/v1/user/identities/${id}`, undefined, bearer(session))
}

/** A second factor added and removed, a recovery code, and a stolen session. */
async function useSecondStep() {
  const { email, session } = await signUp()
  const { id, totp } = (await auth('/factors', { factor_type: 'totp' }, session)).json()
  const asked = (await auth(`/factors/${id}/challenge`, {}, session)).json()
  const answer = { challenge_id: asked.id, code: codeOf(totp.secret) }
  const raised = sessionAnswer.parse((await auth(`/factors/${id}/verify`, answer, session)).json())
  await forgetSteps()
  const { codes } = (await send('POST', '/api/account/recovery-codes', undefined, bearer(raised))).json()
  const low = await signIn(email)
  await send('POST', '/api/account/recovery-codes/use', { code: codes[0] }, bearer(low))
  await send('DELETE', `/auth/v1/factors/${id}`, undefined, bearer(raised))
  let { refresh_token: token } = await signIn(email)
  const stolen = token
  for (let turn = 0; turn < 2; turn += 1)
    token = (await auth('/token?grant_type=refresh_token', { refresh_token: token })).json().refresh_token
  await db
    .updateTable('refreshTokens')
    .set({ usedAt: new Date(Date.now() - 60_000) })
    .where('usedAt', 'is not', null)
    .execute()
  await app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=refresh_token', headers: lies, payload: { refresh_token: stolen } })
}

/** A passkey added and removed. */
async function usePasskey() {
  const { session } = await signUp()
  const device = softAuthenticator()
  const begun = (await auth('/passkeys/registration/options', {}, session)).json()
  const credential = device.create(begun.options, {})
  const { id } = (await auth('/passkeys/registration/verify', { challenge_id: begun.challenge_id, credential }, session)).json()
  await send('DELETE', `/auth/v1/passkeys/${id}`, undefined, bearer(session))
}

/** Enquiries, access requests with both outcomes, and account deletions that succeed or fail. */
async function beInBusiness() {
  await send('POST', '/api/contact', ada)
  const owner = await signedInAs('owner')
  for (const decision of ['grant', 'decline']) {
    await send('POST', '/api/access-requests', { area: 'blog' }, await signedInAs('customer'))
    const [request] = (await send('GET', '/api/admin/access-requests', undefined, owner)).json()
    await send('POST', `/api/admin/access-requests/${request.id}`, { decision }, owner)
  }
  await askForData(owner)
  await buyData()
  const leaving = await signUp()
  await send('POST', '/api/account/deletion', { confirm: leaving.email }, bearer(leaving.session))
  const last = await signUp()
  await send('POST', '/api/account/deletion', { confirm: last.email }, bearer(last.session))
  await db.updateTable('users').set({ appMetadata: '{}' }).execute()
  await db.updateTable('users').set({ appMetadata: '{"role":"owner"}' }).where('id', '=', last.session.user.id).execute()
  const past = new Date(Date.now() - 1000)
  await stopJobs()
  await db.updateTable('accountDeletions').set({ dueAt: past }).execute()
  await db.updateTable('jobs').set({ runAt: past }).where('kind', '=', 'account-deletion').execute()
  startJobs()
}

/** A reply to a lead, an assignment, and a webhook endpoint that failed for too long. */
async function workLeads() {
  const owner = await signedInAs('owner')
  await signedInAs('staff')
  await send('POST', '/api/contact', { ...ada, idempotencyKey: newId() })
  const { reference, id: contactId } = await db.selectFrom('contacts').select(['reference', 'id']).executeTakeFirstOrThrow()
  await send('POST', `/api/leads/${reference}/replies`, { id: newId(), subject: 'Your prices', text: 'Hello.', fileIds: [] }, owner)
  const { id: ownerId } = await db
    .selectFrom('users')
    .select('id')
    .where(condition`app_metadata->>'role' = 'staff'`)
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow()
  await send('PATCH', `/api/leads/${reference}`, { changes: { ownerId: { from: null, to: ownerId } } }, owner)
  await createWebhookEndpoint(
    { label: 'CRM', url: 'https://crm.example/hook', events: ['lead.created'], format: 'standard' },
    { id: ownerId },
  )
  await transaction(async (trx) => {
    const endpoint = await trx.selectFrom('webhookEndpoints').selectAll().executeTakeFirstOrThrow()
    await disableFailing(trx, endpoint, { since: new Date(), reason: 'The endpoint responded 500.' })
  })
  await stopJobs()
  await db
    .updateTable('jobs')
    .set({ runAt: new Date(Date.now() - 1000) })
    .where('kind', '=', 'leads.send-reply')
    .execute()
  await db
    .updateTable('leadMessages')
    .set({ sendAt: new Date(Date.now() - 1000) })
    .where('contactId', '=', contactId)
    .execute()
  startJobs()
}

/** A key of the Data API, and the end of its monthly quota. */
async function useKey() {
  const { session } = await signUp()
  const { id, key } = (await send('POST', '/api/keys', { name: 'Nightly import' }, bearer(session))).json()
  await setQuota(id, 1, {})
  await spend((await openKey(key, '127.0.0.1')).key)
  await auth('/logout?scope=global', {}, session)
}

/** A dataset requested twice: declined, then granted, then revoked. */
async function askForData(staff: Headers) {
  const { session } = await signUp()
  const words = { slug: 'prices', name: 'Prices', description: 'Daily.', category: 'Retail' }
  await insert(db, 'dataProducts', { ...words, position: 1, hidden: false, priceCents: 4900, isFree: false })
  const wish = async () => (await send('POST', '/api/data-products/prices/request-access', {}, bearer(session))).json().id
  await send('POST', `/api/product-requests/${await wish()}/decline`, {}, staff)
  const given = await send('POST', '/api/data-products/prices/entitlements', { requestId: await wish() }, staff)
  await send('DELETE', `/api/entitlements/${given.json().id}`, undefined, staff)
}

/** A dataset that is paid, and one whose payment fails. */
async function buyData() {
  const { session } = await signUp()
  const userId = session.user.id
  await pressTest(await startTestCheckout((await makeDatasetOrder({ userId })).id), 'pay')
  const failing = await startTestCheckout((await makeDatasetOrder({ userId })).id)
  await pressTest(failing, 'delayFail')
  await settleTestCheckout(failing, false)
  await applyWaitingEvents()
}

/** Calls that are booked, moved, handed over, reminded of, cancelled and missed; a proposed time, and a new link. */
async function bookCalls() {
  const staff = await signedInAs('staff')
  for (const name of ['Grace', 'Jean']) await makeHost({ name })
  const week = { from: new Date().toISOString(), to: new Date(Date.now() + 9 * 24 * 3_600_000).toISOString() }
  const { slots } = (await send('GET', `/api/booking/slots?${new URLSearchParams(week)}`)).json()
  const times: string[] = slots.map(({ startsAt }: { startsAt: string }) => startsAt)
  const call = async (startsAt: string | undefined) => (await send('POST', '/api/bookings', { ...guest, startsAt })).json()

  const moved = await call(times.at(-1))
  await send('PATCH', apiOf(moved), { startsAt: times.at(-4) })
  const [{ host }] = (await send('GET', '/api/staff/bookings', undefined, staff)).json()
  const { userId } = await db.selectFrom('bookingHosts').select('userId').where('userId', '!=', host.id).executeTakeFirstOrThrow()
  await send('PATCH', `/api/staff/bookings/${moved.id}`, { action: 'hand_over', hostId: userId }, staff)
  await send('PATCH', `/api/staff/bookings/${moved.id}`, { action: 'ask', startsAt: times.at(-1) }, staff)
  const past = new Date(Date.now() - 1000)
  await db.updateTable('jobs').set({ runAt: past }).where('kind', '=', 'bookings.remind').execute()
  await untilWritten('call-reminder')
  await send('DELETE', apiOf(moved))

  const contactId = (await send('POST', '/api/contact', ada)).json().id
  await send('POST', '/api/staff/bookings/proposals', { contactId, timeZone: 'UTC', times: [times.at(-2)] }, staff)

  const together = await call(times.at(-10))
  await send('PATCH', `/api/staff/bookings/${together.id}`, { action: 'cancel', all: true }, staff)

  const unplaced = await call(times.at(-8))
  const { hostId } = await db.selectFrom('bookings').select('hostId').where('id', '=', unplaced.id).executeTakeFirstOrThrow()
  const place = '12 Harbour Street'
  await app.inject({
    method: 'PUT',
    url: `/api/staff/booking/hosts/${hostId}`,
    headers: { ...(await signedInAs('owner')), 'if-match': '"1"' },
    payload: { ...defaultRules, isActive: true, name: 'Grace', zone: 'Africa/Lagos', place },
  })

  const missed = await call(times.at(-1))
  await send('POST', `${apiOf(missed)}/link`)
  const startsAt = new Date(Date.now() - 3_600_000)
  await db
    .updateTable('bookings')
    .set({ startsAt, endsAt: past, blockedFrom: startsAt, blockedUntil: past })
    .where('id', '=', missed.id)
    .execute()
  await send('PATCH', `/api/staff/bookings/${missed.id}`, { action: 'no_show', followUp: true }, staff)
}

/** Waits until the worker has written an email of a kind. */
async function untilWritten(kind: string) {
  await eventually(async () => expect((await emails()).some(({ payload }) => payload.includes(`"kind":"${kind}"`))).toBe(true))
}

/** Every kind of email that the product defines. */
const kinds = globSync('app/**/*.email.tsx').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/define(?:Secret)?Email(?:<[^(]+>)?\(\s*'([\w-]+)'/g)].map(([, kind = '']) => kind),
)

async function emails() {
  const jobs = await db.selectFrom('jobs').select(['id', 'payload']).where('kind', '=', EMAIL_JOB).execute()
  return Promise.all(jobs.map(async ({ id, payload }) => ({ payload: JSON.stringify(payload), letter: await readEmail(id) })))
}

/** Two requests for the newsletter from one address, and a post that is sent to it. */
async function subscribe() {
  const email = someEmail()
  const ask = async (url: string, payload: string) =>
    app.inject({ method: 'POST', url, headers: { ...lies, 'content-type': 'application/x-www-form-urlencoded' }, payload })
  await ask('/newsletter', `email=${email}`)
  const [{ data } = { data: {} }] = await emailsTo(email)
  expect((await ask(`/newsletter/confirm?token=${data.token}`, '')).statusCode).toBe(200)
  await ask('/newsletter', `email=${email}`)
  const { id } = await makePost()
  await send('POST', `/api/newsletter/posts/${id}/send`, undefined, await signedInAs('staff'))
}

/** A company that staff add, with its first admin. */
async function foundOrganization() {
  await send('POST', '/api/admin/organizations', { name: 'Acme Retail', email: someEmail() }, await signedInAs('staff'))
}

/** A company that gets an invoice, a person who does not pay one, and one who withdraws. */
async function buy() {
  const order = await makeOrder(await makeCompany({ billingEmails: someEmail() }), undefined, { isTest: true })
  await transaction((trx) => issueInvoice(trx, order.id, 'invoice'))
  await untilWritten('invoice')
  const { session, email } = await signUp()
  await makeDatasetOrder({ userId: session.user.id, method: 'invoice' })
  await remindOfInvoices(new Date(Date.now() + 40 * 24 * 3_600_000))
  const { id, reference } = await makeDatasetOrder({ userId: session.user.id })
  const supplyConsent = JSON.stringify({ ...immediateSupply, acceptedAt: new Date().toISOString(), acceptedBy: session.user.id })
  await db.updateTable('orders').set({ supplyConsent }).where('id', '=', id).execute()
  await pressTest(await startTestCheckout(id), 'pay')
  const headers = { ...lies, 'content-type': 'application/x-www-form-urlencoded' }
  const payload = new URLSearchParams({ intent: 'confirm', reference, email, name: 'Ada' }).toString()
  expect((await app.inject({ method: 'POST', url: '/withdraw', headers, payload })).statusCode).toBe(200)
}

/** A subscription whose price changes, that fails to renew, has to be confirmed, and is cancelled. */
async function renew() {
  const { session } = await signUp()
  const { id, offerId, reference, periodEnd } = await startSubscription({ userId: session.user.id })
  await db.updateTable('productOffers').set({ nextAmount: 12_900, nextAmountFrom: new Date() }).where('id', '=', offerId).execute()
  await careForSubscriptions()
  await careForSubscriptions(new Date(Number(periodEnd) - 6 * 24 * 3_600_000))
  for (const turn of ['confirm', 'recover', 'fail', 'recover'] as const) await turnClock(id, turn)
  for (const when of ['periodEnd', 'now']) await send('POST', `/api/subscriptions/${reference}/cancel`, { when }, bearer(session))
}

/** A proposal that is sent, asked about, remembered, signed and countersigned. */
async function propose() {
  const staff = await signedInAs('staff')
  const { email, reference } = await makeContact()
  const { id, content } = (await send('POST', `/api/leads/${reference}/proposals`, { offer: 'custom-scraping' }, staff)).json()
  const lines = [{ ...content.lines[0], title: 'Prices of 40 shops' }]
  await send('PUT', `/api/proposals/${id}`, { ...content, lines }, staff)
  const page = new URL((await send('POST', `/api/proposals/${id}/send`, undefined, staff)).json().url).pathname
  await tendProposals(new Date(Date.now() + 3 * 24 * 3_600_000))
  const headers = { ...lies, 'content-type': 'application/x-www-form-urlencoded' }
  const post = async (fields: Record<string, string>) =>
    app.inject({ method: 'POST', url: page, headers, payload: new URLSearchParams(fields).toString() })
  await post({ intent: 'ask-', 'question-': 'From when on?' })
  const asked = await db.selectFrom('proposalQuestions').select('id').where('proposalId', '=', id).executeTakeFirstOrThrow()
  await send('PUT', `/api/proposals/${id}/questions/${asked.id}`, { answer: 'From Monday on.' }, staff)
  const buyer = { company: 'Acme Retail', country: 'DE', business: 'yes', name: 'Lin Chao' }
  const digest = /name="digest" value="([^"]+)"/.exec((await post({ ...buyer, intent: 'code' })).body)?.[1] ?? ''
  const { data } = (await emailsTo(email)).findLast(({ kind }) => kind === 'proposal-code') ?? { data: {} }
  const signing = { ...buyer, intent: 'sign', digest, code: data.code, consent: 'yes', authority: 'yes' }
  expect((await post(signing)).statusCode).toBe(303)
  await send('POST', `/api/proposals/${id}/countersign`, { name: 'Olive Owner' }, staff)
}

beforeAll(async () => {
  await propose()
  await askForEmails()
  await changeAccount()
  await useSecondStep()
  await usePasskey()
  await workLeads()
  await beInBusiness()
  await useKey()
  await subscribe()
  await bookCalls()
  await foundOrganization()
  await buy()
  await renew()
})

test('requests that name another host trigger each kind of email', async () => {
  await eventually(async () => {
    const found = new Set((await emails()).map(({ payload }) => /"kind":"([\w-]+)"/.exec(payload)?.[1]))
    // The test email of the settings is sent directly, and only with a mail server.
    expect(found).toEqual(new Set(kinds.filter((kind) => kind !== 'test')))
    expect(kinds.length).toBeGreaterThan(20)
  })
})

test('none of them says a word of that host, and each of their links begins with the address of the site', async () => {
  for (const { letter: email } of await emails()) {
    const { html = '', text = '', subject } = email ?? {}
    expect([subject, `${html} ${text}`.includes(EVIL)]).toEqual([subject, false])
    const links = [...html.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, link = '']) => link)
    const foreign = links.filter((link) => !/^(http:\/\/localhost:3000(\/|$)|mailto:|tel:)/.test(link))
    expect([subject, foreign]).toEqual([subject, []])
    expect([subject, [...text.matchAll(/https?:\/\/[^/\s>]+/g)].every(([origin]) => origin === 'http://localhost:3000')]).toEqual([
      subject,
      true,
    ])
  }
})
