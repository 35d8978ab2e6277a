import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { audit } from '#app/auth/users/audit.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { createApp } from '#app/server.ts'
import { book, bookingClient } from './bookings.ts'
import { ada, sendEnquiry, sendForm } from './enquiries.ts'
import { erasureOf } from './erase.ts'
import type { NewNotification } from '#app/account/notifications/notification.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { pageUrlOf } from '#app/leads/lead/page-link.server.ts'
import { findPublicPost } from '#app/blog/posts/public-post.server.ts'
import { makeOrder } from './billing.ts'
import { makeCompany } from './invoices.ts'
import { makeApiKey, makeConsultation, makeContact, makeHost, makePost, makeProduct, signIn, type SignedIn } from './factories.ts'

let app: Http
beforeAll(async () => {
  await openDatabase()
  app = await createApp()
})
afterAll(async () => {
  await app.close()
  await closeDatabase()
})

const bob = { name: 'Bob Neighbour', email: 'bob@analytical.example' }

/** The traces of a person who uses every feature. Returns their account. */
async function leaveTraces({ name, email }: { name: string; email: string }): Promise<string> {
  const sent = await sendEnquiry(app, { ...ada, name, email })
  const {
    id: contactId,
    reference,
    personId,
  } = await db.selectFrom('contacts').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  expect(sent.statusCode).toBe(201)
  const link = await db
    .selectFrom('leads')
    .select(['contactId', 'pageVersion'])
    .where('contactId', '=', contactId)
    .executeTakeFirstOrThrow()
  await sendForm(app, new URL(pageUrlOf(link)).pathname, { intent: 'details', details: `${name} adds something` })
  await insert(db, 'leadFiles', {
    contactId,
    source: 'visitor',
    name: `${name}.pdf`,
    type: 'application/pdf',
    size: 1,
    storedAs: `lead-files/${newId()}`,
  })
  await makeConsultation({ name, email, contactId, source: 'contact', personId })
  const { user, headers } = await signIn('customer', { email, userMetadata: JSON.stringify({ first_name: name }) })
  const json = { ...headers, 'content-type': 'application/json' }
  await insert(db, 'oneTimeTokens', {
    userId: user.id,
    kind: 'recovery',
    linkHash: randomBytes(32),
    codeHmac: randomBytes(32),
    sentTo: email,
  })
  await db
    .insertInto('avatars')
    .values({ userId: user.id, id: newId(), picture: Buffer.from('picture') })
    .execute()
  await db.insertInto('accountDeletions').values({ userId: user.id, dueAt: new Date() }).execute()
  await insert(db, 'hostedAccounts', { email, userMetadata: JSON.stringify({ first_name: name }) })
  await app.inject({ method: 'POST', url: '/api/access-requests', headers: json, payload: { area: 'blog' } })
  await useDatasets({ user, headers })
  await subscribe(email)
  await bookCall({ name, email })
  await receiveEmails({ name, email }, contactId)
  await transaction(async (trx) => {
    await audit(trx, 'login', { actorId: user.id, address: '192.0.2.7' })
    await audit(trx, 'enquiry_answered', { actorId: user.id, subjectId: contactId })
  })
  // Of a delivered email, only the subject remains.
  for (const subject of [`New enquiry ${reference} from ${name}`, `${email} requests access to Blog Management`]) {
    const payload = JSON.stringify({ kind: 'gone', to: 'owner@example.com', messageId: '<1@localhost>', subject })
    await insert(db, 'jobs', { kind: 'letter', payload, doneAt: new Date() })
  }
  return user.id
}

/** Emails of the person: in their lead with a file, of an unknown sender, and one of someone else with their address. */
async function receiveEmails({ name, email }: { name: string; email: string }, contactId: string) {
  const received = { direction: 'in', state: 'received', subject: `From ${name}`, text: `Yours, ${name}` } as const
  const { id: messageId } = await insert(db, 'leadMessages', {
    ...received,
    contactId,
    messageId: `<1.${email}>`,
    fromName: name,
    fromAddress: email,
  })
  await insert(db, 'leadFiles', {
    contactId,
    messageId,
    source: 'email',
    name: `${name}.pdf`,
    type: 'application/pdf',
    size: 1,
    storedAs: `lead-files/${newId()}`,
  })
  await noteEmail(contactId, messageId, email)
  await insert(db, 'leadMessages', { ...received, messageId: `<2.${email}>`, fromName: name, fromAddress: email.toUpperCase() })
  const other = await makeContact({ name: 'Grace Hopper' })
  const copied = { ...received, subject: 'Hello', text: 'Hello.', contactId: other.id, messageId: `<3.${newId()}>` }
  await insert(db, 'leadMessages', { ...copied, fromAddress: other.email, toAddresses: ['hello@localhost', email] })
}

async function noteEmail(contactId: string, messageId: string, from: string) {
  await insert(db, 'leadEvents', { contactId, kind: 'email_received', messageId, detail: JSON.stringify({ from }) })
}

/** Books the first free call. */
async function bookCall(guest: { name: string; email: string }) {
  await makeHost()
  const visitor = bookingClient(app)
  const week = { from: new Date().toISOString(), to: new Date(Date.now() + 7 * 24 * 3_600_000).toISOString() }
  const [first] = (await visitor('GET', `/api/booking/slots?${new URLSearchParams(week)}`)).json().slots
  expect((await book(visitor, first.startsAt, guest)).statusCode).toBe(201)
}

/** Subscribes to the newsletter, and gets a post. */
async function subscribe(email: string) {
  await sendForm(app, '/newsletter', { email })
  const { id: subscriberId } = await db
    .updateTable('newsletterSubscribers')
    .set({ confirmedAt: new Date() })
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: issueId } = await insert(db, 'newsletterIssues', { postId: (await makePost()).id, sentBy: newId(), recipients: 1 })
  await insert(db, 'newsletterDeliveries', { issueId, subscriberId, outcome: 'sent', settledAt: new Date() })
}

/** Requests a dataset, gets access, downloads and queries it, and has a key for it. */
async function useDatasets({ user, headers }: Pick<SignedIn, 'user' | 'headers'>) {
  const product = await makeProduct({ priceCents: 4900 })
  const asked = await app.inject({ method: 'POST', url: `/api/data-products/${product.id}/request-access`, headers, payload: {} })
  expect(asked.statusCode).toBe(201)
  const whose = { userId: user.id, productId: product.id }
  const ofOrganization = { ...whose, organizationId: user.id }
  await insert(db, 'entitlements', { ...ofOrganization, grantedBy: newId(), note: 'Paid on Monday.' })
  await insert(db, 'downloads', { ...ofOrganization, type: 'file', format: 'csv' })
  await insert(db, 'savedQueries', { ...whose, name: 'By shop', sql: 'SELECT 1' })
  await insert(db, 'pastQueries', { ...whose, sql: 'SELECT 1' })
  await makeApiKey(user.id)
}

/** Every row of every table that holds one of these words. */
async function rowsWith(...words: string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`.execute(db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`SELECT t::text AS row FROM ${sql.table(name)} t ORDER BY 1`.execute(db)
    found.push(...rows.filter(({ row }) => words.some((word) => row.includes(word))).map(({ row }) => `${name}: ${row}`))
  }
  return found
}

async function erase(email: string): Promise<void> {
  const statements = erasureOf(email)
    .split(/;$/m)
    .filter((text) => text.trim())
  await transaction(async (trx) => {
    for (const statement of statements) await sql.raw(statement).execute(trx)
  })
}

test('the documented statements leave nothing of a person, and all of everyone else', async () => {
  const [adaId, bobId] = [await leaveTraces(ada), await leaveTraces(bob)]
  const account = ['audit_events', 'hosted_accounts', 'jobs', 'one_time_tokens', 'people', 'sessions', 'users']
  const tables = [
    ...account,
    'consultations',
    'contacts',
    'api_keys',
    'downloads',
    'entitlements',
    'past_queries',
    'product_requests',
    'saved_queries',
    'newsletter_subscribers',
    'bookings',
    'lead_events',
    'lead_files',
  ]
  expect([...new Set((await rowsWith(ada.email, ada.name, adaId)).map((row) => row.replace(/:.*/s, '')))]).toEqual(
    expect.arrayContaining(tables),
  )
  const others = await rowsWith(bob.email, bob.name, bobId)

  await erase(ada.email.toUpperCase())

  expect(await rowsWith(ada.email, ada.name, adaId)).toEqual([])
  const emails = await db.selectFrom('newsletterDeliveries').select(['outcome', 'subscriberId']).orderBy('id').execute()
  expect(emails).toMatchObject([
    { outcome: 'sent', subscriberId: null },
    { outcome: 'sent', subscriberId: expect.any(String) },
  ])
  expect(await rowsWith(bob.email, bob.name, bobId)).toEqual(others)
})

test('a company keeps its datasets, orders and service keys, and has the person in no list', async () => {
  const [{ user }, company, other] = [await signIn('customer', { email: 'grace@navy.example' }), await makeCompany(), await makeCompany()]
  const product = await makeProduct({ priceCents: 4900 })
  const key = await makeApiKey(user.id)
  await db.updateTable('apiKeys').set({ isService: true, organizationId: company.id }).where('id', '=', key.id).execute()
  const whose = { organizationId: company.id, userId: user.id }
  const { id: grantId } = await insert(db, 'entitlements', { ...whose, productId: product.id, grantedBy: newId() })
  const order = await makeOrder(whose)
  await db
    .insertInto('organizationMembers')
    .values({ ...whose, role: 'admin' })
    .execute()
  await insert(db, 'organizationJoinRequests', { ...whose, organizationId: other.id })
  const invitation = { role: 'member', tokenHash: randomBytes(32), invitedBy: newId(), expiresAt: new Date() } as const
  await insert(db, 'organizationInvitations', { ...invitation, organizationId: other.id, email: 'Grace@navy.example' })

  await erase('grace@navy.example')

  expect(await db.selectFrom('apiKeys').select('isService').where('id', '=', key.id).execute()).toEqual([{ isService: true }])
  const nobody = [{ userId: null }]
  expect(await db.selectFrom('entitlements').select('userId').where('id', '=', grantId).execute()).toEqual(nobody)
  expect(await db.selectFrom('orders').select('userId').where('id', '=', order.id).execute()).toEqual(nobody)
  const left = (await rowsWith(user.id, 'race@navy.example')).map((row) => row.replace(/:.*/s, ''))
  expect(left).toEqual(['api_keys'])
})

test('a person with an account at a hosted service leaves no picture, no organization and no event of the audit log', async () => {
  const { id: userId } = await insert(db, 'hostedAccounts', { email: 'hosted@analytical.example' })
  const company = await makeCompany()
  await db.insertInto('organizationMembers').values({ organizationId: company.id, userId, role: 'member' }).execute()
  await db
    .insertInto('avatars')
    .values({ userId, id: newId(), picture: Buffer.from('picture') })
    .execute()
  await db.insertInto('accountDeletions').values({ userId, dueAt: new Date() }).execute()
  await transaction((trx) => audit(trx, 'login', { actorId: userId, subjectId: userId, address: '192.0.2.7' }))

  await erase('hosted@analytical.example')

  const left = (await rowsWith(userId)).map((row) => row.replace(/:.*/s, ''))
  // The id stays, so that the last token is refused.
  expect([...new Set(left)]).toEqual(['accounts', 'hosted_accounts', 'organization_members', 'organizations'])
  expect(await db.selectFrom('organizationMembers').select('organizationId').where('userId', '=', userId).execute()).toEqual([
    { organizationId: userId },
  ])
})

test('a job of several notifications keeps those about others', async () => {
  const [gone, other] = [await makeContact({ email: 'gone@analytical.example' }), await makeContact({ email: 'other@analytical.example' })]
  const noticeOf = ({ id, name }: typeof gone): NewNotification => ({
    kind: 'lead',
    title: `New enquiry from ${name}`,
    link: '/dashboard',
    subjectId: id,
    dedupeKey: `lead:${id}`,
    to: { roles: ['staff'] },
  })
  await enqueue(
    db,
    { kind: 'notifications.tell', payload: [noticeOf(gone), noticeOf(other)] },
    { kind: 'notifications.tell', payload: [noticeOf(gone), noticeOf(gone)] },
  )

  await erase(gone.email)

  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.tell').orderBy('id').execute()
  const shared = jobs.flatMap(({ payload }) => (Array.isArray(payload) ? [payload] : []))
  expect(shared).toEqual([[noticeOf(other)], []])
})

test('events on the enquiries of others remain without the network address, and blog posts without the name; the owner is unchanged', async () => {
  const { user } = await signIn('staff', { email: 'colleague@example.com' })
  const { id: subjectId } = await makeContact()
  await transaction((trx) => audit(trx, 'enquiry_answered', { actorId: user.id, subjectId, address: '192.0.2.7' }))
  await makePost({ slug: 'theirs', authorId: user.id })
  expect((await findPublicPost('theirs'))?.author?.name).toBe('Ada')
  const { user: owner } = await signIn('owner', { email: 'owner@example.com' })
  await db.updateTable('installation').set({ ownerId: owner.id }).execute()

  await erase('colleague@example.com')
  await erase('owner@example.com')

  const left = await db.selectFrom('auditEvents').select(['action', 'address']).where('actorId', '=', user.id).execute()
  expect(left).toEqual([{ action: 'enquiry_answered', address: null }])
  expect(await findPublicPost('theirs')).toMatchObject({ title: 'Prices of 40 shops', author: null })
  expect(await db.selectFrom('users').select('email').where('id', 'in', [user.id, owner.id]).execute()).toEqual([
    { email: 'owner@example.com' },
  ])
})
