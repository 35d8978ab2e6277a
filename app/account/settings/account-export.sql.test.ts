import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeKey } from '#app/data-api/keys/api-key.server.ts'
import { ownKeys } from '#app/data-api/keys/key-holding.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { bearer, forgetLimits, signUpAndConfirm } from '#test/auth.ts'
import { makeApiKey, makeBooking, makeConsultation, makeContact, makePost, makeProduct, signIn } from '#test/factories.ts'

const app = await startApp()
beforeEach(forgetLimits)
const take = (headers: Record<string, string> = {}) => app.inject({ url: '/api/account/data', headers })

describe('happy', () => {
  test('one file has the account, its history, and the enquiries from its confirmed address', async () => {
    const { session, email } = await signUpAndConfirm(app)
    const { id } = session.user
    const contact = await makeContact({ email, message: 'Prices of 40 shops' })
    const { personId } = await makeConsultation({ email, phone: '+44 20 7946 0000' })
    await makeBooking({ reference: 'C-234567', personId, email })
    const sent = {
      direction: 'out',
      state: 'sent',
      messageId: '<reply@localhost>',
      fromAddress: 'hello@localhost',
      subject: 'Your enquiry',
    } as const
    const message = await insert(db, 'leadMessages', { ...sent, contactId: contact.id })
    const offer = {
      messageId: message.id,
      source: 'reply',
      name: 'offer.pdf',
      type: 'application/pdf',
      size: 5,
      storedAs: 'lead-files/x',
    } as const
    await insert(db, 'leadFiles', { ...offer, contactId: contact.id })
    await insert(db, 'avatars', { id: newId(), userId: id, picture: Buffer.from('picture') })
    const key = await makeKey(ownKeys(id), { name: 'Nightly import', productIds: null, expiresInDays: null }, {})

    const subscriber = await insert(db, 'newsletterSubscribers', { email, source: 'post', confirmedAt: new Date() })
    const post = await makePost({ title: 'As it was sent' })
    const issue = await insert(db, 'newsletterIssues', { postId: post.id, sentBy: newId(), recipients: 1 })
    await insert(db, 'newsletterDeliveries', { issueId: issue.id, subscriberId: subscriber.id, outcome: 'sent', settledAt: new Date() })

    const passkey = { userId: id, friendlyName: 'Laptop', credentialId: randomBytes(16), publicKey: Buffer.from('key material') }
    await insert(db, 'webauthnCredentials', passkey)

    const reply = await take(bearer(session))
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="account-\d{4}-\d\d-\d\d\.json"$/)
    expect(reply.headers['cache-control']).toBe('no-store')
    const data = reply.json()
    expect(data.profile).toMatchObject({ id, email, hasPassword: true, userMetadata: { first_name: 'Ada', last_name: 'Lovelace' } })
    expect(Buffer.from(data.picture.picture, 'base64').toString()).toBe('picture')
    expect(data.identities).toMatchObject([{ provider: 'email', email }])
    expect(data.sessions).toHaveLength(1)
    expect(data.leadMessages).toMatchObject([{ subject: 'Your enquiry', fromAddress: 'hello@localhost' }])
    expect(data.leadFiles).toMatchObject([{ name: 'offer.pdf', size: 5 }])
    expect(data.auditEvents.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['user_signedup', 'user_confirmed', 'login', 'account_exported']),
    )
    expect(data.enquiries).toMatchObject([{ id: contact.id, reference: contact.reference, message: 'Prices of 40 shops' }])
    expect(data.consultations).toMatchObject([{ phone: '+44 20 7946 0000' }])
    expect(data.bookings).toMatchObject([{ reference: 'C-234567', status: 'booked', projectDescription: 'Prices of 40 shops.' }])
    expect(Object.keys(data.bookings[0]).join(' ')).not.toMatch(/hash|holder|host/i)
    expect(data.people).toMatchObject([{ email }])
    expect(data.newsletter).toMatchObject([{ email, source: 'post', confirmedAt: expect.any(String) }])
    expect(data.newsletterEmails).toMatchObject([{ title: 'As it was sent', outcome: 'sent', settledAt: expect.any(String) }])
    expect(data.letters.map(({ kind }: { kind: string }) => kind)).toEqual(['confirm-address', 'api-key-made'])
    expect(data.apiKeys).toMatchObject([{ id: key.id, name: 'Nightly import', prefix: key.prefix }])
    expect(data.apiKeys[0]).not.toHaveProperty('key_hash')
    expect(data.passkeys).toMatchObject([{ friendlyName: 'Laptop', createdAt: expect.any(String), lastUsedAt: null }])
    expect(Object.keys(data.passkeys[0]).toSorted().join(' ')).not.toMatch(/key|credential|count/i)
    expect(data.deletion).toBeNull()
  })

  test('an author’s export has their own posts', async () => {
    const { user, headers } = await signIn('staff')
    await makePost({ slug: 'mine', authorId: user.id, content: 'Every **morning**.', published: false })
    await makePost({ slug: 'removed', authorId: user.id, removedAt: new Date() })
    await makePost()
    expect((await take(headers)).json().posts).toMatchObject([{ slug: 'mine', content: 'Every **morning**.' }])
  })

  test('the export has dataset requests, grants, downloads and queries, and API keys without their secrets', async () => {
    const { user, headers } = await signIn()
    const { id: productId } = await makeProduct({ slug: 'shop-prices' })
    const whose = { userId: user.id, productId }
    const ofOrganization = { ...whose, organizationId: user.id }
    await insert(db, 'productRequests', { ...ofOrganization, message: 'For our monitor.' })
    await insert(db, 'entitlements', { ...ofOrganization, grantedBy: newId(), paymentReference: 'INV-17' })
    await insert(db, 'downloads', { ...ofOrganization, type: 'file', format: 'csv' })
    await insert(db, 'savedQueries', { ...whose, name: 'By shop', sql: 'SELECT 1' })
    await insert(db, 'pastQueries', { ...whose, sql: 'SELECT 2' })
    const keyHash = `hash-${newId()}`
    await makeApiKey(user.id, keyHash)
    const reply = await take(headers)
    expect(reply.json()).toMatchObject({
      datasetRequests: [{ dataset: 'shop-prices', message: 'For our monitor.' }],
      entitlements: [{ dataset: 'shop-prices', paymentReference: 'INV-17' }],
      downloads: [{ dataset: 'shop-prices', format: 'csv' }],
      savedQueries: [{ dataset: 'shop-prices', name: 'By shop', sql: 'SELECT 1' }],
      pastQueries: [{ dataset: 'shop-prices', sql: 'SELECT 2' }],
      apiKeys: [{ name: 'Nightly', prefix: 'wn_1' }],
    })
    expect(reply.body).not.toContain(keyHash)
  })

  test('the longest history is written whole', async () => {
    const { user, headers } = await signIn()
    const rows = Array.from({ length: 1203 }, () => ({ id: newId(), action: 'login', actorId: user.id, subjectId: user.id }))
    for (let start = 0; start < rows.length; start += 500)
      await db
        .insertInto('auditEvents')
        .values(rows.slice(start, start + 500))
        .execute()
    const ids = (await take(headers)).json().auditEvents.map(({ id }: { id: string }) => id)
    expect(ids).toHaveLength(1204)
    expect(new Set(ids).size).toBe(1204)
  })
})

describe('error', () => {
  test('ten an hour are enough for anyone', async () => {
    const { headers } = await signIn()
    const statuses = []
    for (let count = 0; count < 11; count += 1) statuses.push((await take(headers)).statusCode)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })
})

describe('security', () => {
  test('strangers get nothing', async () => expect((await take()).statusCode).toBe(401))

  test('no secret is part of it, and nothing of anyone else', async () => {
    const [mine, other] = [await signUpAndConfirm(app), await signUpAndConfirm(app)]
    await makeContact({ email: other.email, message: 'Confidential' })
    const owner = await signIn('owner')
    const { id } = mine.session.user
    await insert(db, 'auditEvents', { action: 'user_banned', actorId: owner.user.id, subjectId: id, address: '198.51.100.9' })
    const { body } = await take(bearer(mine.session))
    for (const secret of ['argon2', 'passwordHash', 'secretSealed', 'codeHash', 'tokenHash', 'sealed', other.email, 'Confidential']) {
      expect(body).not.toContain(secret)
    }
    expect(body).toContain('"by":"someone else"')
    expect(body).not.toContain(owner.user.id)
    expect(body).not.toContain('198.51.100.9')
  })

  test('enquiries from an unconfirmed address are not exported', async () => {
    const { user, headers } = await signIn('customer', { emailConfirmedAt: null })
    await makeContact({ email: user.email ?? '' })
    const data = (await take(headers)).json()
    expect(data.enquiries).toBeUndefined()
    expect(data.people).toBeUndefined()
  })
})
