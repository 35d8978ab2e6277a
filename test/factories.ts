import { mkdtemp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { importVersion, takeFile } from '#app/datasets/import/import.server.ts'
import { publishVersion } from '#app/datasets/import/publish.server.ts'
import { readDataset } from '#app/datasets/import/read-dataset.server.ts'
import { env } from '#app/platform/env.server.ts'
import { signAccessToken } from '#app/auth/sessions/jwt.server.ts'
import type { Role } from '#app/auth/users/role.ts'
import { defaultRules } from '#app/booking/rules/hours.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { ACCESS_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import type { NewRow, Row } from '#db/tables.ts'

/** Realistic rows, unless a test overrides values. */
export async function makeUser(given: Partial<NewRow<'users'>> & { role?: Role } = {}): Promise<Row<'users'>> {
  const { role = 'customer', ...columns } = given
  return insert(db, 'users', {
    email: `user-${newId()}@example.com`,
    emailConfirmedAt: new Date(),
    appMetadata: JSON.stringify({ role }),
    userMetadata: JSON.stringify({ first_name: 'Ada' }),
    ...columns,
  })
}

/** The owner of the installation. */
export async function makeOwner(given: Partial<NewRow<'users'>> = {}): Promise<Row<'users'>> {
  const owner = await makeUser({ ...given, role: 'owner' })
  await db.updateTable('installation').set({ ownerId: owner.id }).execute()
  return owner
}

export type SignedIn = {
  user: Row<'users'>
  session: Row<'sessions'>
  /** The headers of their browser's requests. */
  headers: { cookie: string; 'sec-fetch-site': 'same-origin' }
}

/** A user with an account and an active session. */
export async function signIn(role: Role = 'customer', given: Partial<NewRow<'users'>> = {}): Promise<SignedIn> {
  const user = await makeUser({ ...given, role })
  const session = await insert(db, 'sessions', { userId: user.id })
  const { token } = await signAccessToken(user, session)
  return { user, session, headers: { cookie: `${ACCESS_COOKIE}=${token}`, 'sec-fetch-site': 'same-origin' } }
}

/** One person per address: a second call returns the same. */
export async function makePerson({ email = `person-${newId()}@example.com`, name = 'Ada Lovelace' } = {}): Promise<Row<'people'>> {
  const known = await db.selectFrom('people').selectAll().where('email', '=', email).executeTakeFirst()
  return known ?? insert(db, 'people', { email, name })
}

/** An enquiry, with its person unless one is named. */
export async function makeContact(given: Partial<NewRow<'contacts'>> = {}): Promise<Row<'contacts'>> {
  const { name = 'Ada Lovelace', email = `lead-${newId()}@example.com` } = given
  const personId = given.personId ?? (await makePerson({ name, email })).id
  return insert(db, 'contacts', {
    reference: `W-${newId()}`,
    form: 'contact',
    country: 'United Kingdom',
    problem: 'Prices of 40 shops, every morning',
    message: 'We compare prices by hand and would rather not.',
    ...given,
    personId,
    name,
    email,
  })
}

/** Many enquiries of one person in one statement. The caller says when each was sent, and what it says if that matters. */
export async function makeContacts(count: number, of: (at: number) => { createdAt: Date; message?: string }): Promise<void> {
  const [name, email] = ['Ada Lovelace', `lead-${newId()}@example.com`]
  const { id: personId } = await makePerson({ name, email })
  const enquiry = { personId, name, email, form: 'contact', country: 'France', problem: 'Other', message: 'Some message' } as const
  const rows = Array.from({ length: count }, (_, at) => ({ ...enquiry, id: newId(), reference: `R-${newId()}`, ...of(at) }))
  await db.insertInto('contacts').values(rows).execute()
}

export async function makeConsultation(given: Partial<NewRow<'consultations'>> = {}): Promise<Row<'consultations'>> {
  const { name = 'Ada Lovelace', email = `call-${newId()}@example.com` } = given
  const personId = given.personId ?? (await makePerson({ name, email })).id
  return insert(db, 'consultations', {
    source: 'staff',
    projectDescription: 'A daily feed of prices.',
    ...given,
    personId,
    name,
    email,
  })
}

/** Takes calls on weekdays from 9 to 17 in Lagos, which has no clock changes, unless other hours are given. */
export async function makeHost(given: Partial<NewRow<'bookingHosts'>> = {}): Promise<Row<'bookingHosts'>> {
  const userId = given.userId ?? (await makeUser({ role: 'staff' })).id
  const { hours, ...rules } = defaultRules
  const row = {
    name: 'Grace Hopper',
    zone: 'Africa/Lagos',
    hours: JSON.stringify(hours),
    ...rules,
    confirmedAt: new Date(),
    ...given,
    userId,
  }
  return db.insertInto('bookingHosts').values(row).returningAll().executeTakeFirstOrThrow()
}

/** A call tomorrow, for half an hour. */
export async function makeBooking(given: Partial<NewRow<'bookings'>> = {}): Promise<Row<'bookings'>> {
  const { startsAt = new Date(Date.now() + 24 * 3_600_000), hostId = newId() } = given
  const endsAt = new Date(new Date(startsAt).getTime() + 30 * 60_000)
  const guest = {
    name: 'Ada Lovelace',
    email: 'ada@analytical.example',
    projectDescription: 'Prices of 40 shops.',
    guestZone: 'Europe/London',
  }
  const times = { startsAt, endsAt, blockedFrom: startsAt, blockedUntil: endsAt }
  return insert(db, 'bookings', { status: 'booked', reference: `C-${newId()}`, ...guest, ...times, ...given, hostId })
}

/** A public post by default. */
export async function makePost(given: Partial<NewRow<'posts'>> = {}): Promise<Row<'posts'>> {
  const { title = 'Prices of 40 shops', content = 'Every **morning**.' } = given
  return insert(db, 'posts', {
    slug: `post-${newId()}`,
    excerpt: 'Every morning.',
    html: '<p>Every <strong>morning</strong>.</p>',
    words: 2,
    published: true,
    publishedAt: new Date('2026-10-01T08:00:00Z'),
    authorId: newId(),
    ...given,
    title,
    content,
  })
}

/** A published product without data, free unless it has a price. */
export async function makeProduct(given: Partial<NewRow<'dataProducts'>> = {}): Promise<Row<'dataProducts'>> {
  const { priceCents = 0 } = given
  return insert(db, 'dataProducts', {
    slug: `prices-${newId()}`,
    position: 1,
    name: 'Prices of 40 shops',
    description: 'Every price, every morning.',
    category: 'E-commerce',
    hidden: false,
    ...given,
    priceCents,
    isFree: priceCents === 0,
  })
}

/** The next version of a product, published unless told otherwise, imported from a small CSV like an upload. */
export async function makeDataset(
  { id: productId }: Pick<Row<'dataProducts'>, 'id'>,
  csvText: string,
  { changes = '', publish = true } = {},
): Promise<Row<'datasetVersions'>> {
  const folder = await mkdtemp(path.join(env.DATA_DIR, 'given-'))
  const file = path.join(folder, 'prices.csv')
  await writeFile(file, csvText)
  const by = { id: newId() }
  const versionId = await takeFile(productId, file, { fileName: 'prices.csv', changes, by })
  // In this process, because another one takes a good part of a second.
  await importVersion(versionId, { read: readDataset })
  if (publish) await publishVersion(versionId, by, { force: true, reason: 'A test needs it.' })
  await db.deleteFrom('jobs').where('kind', 'like', 'datasets.%').execute()
  return db.selectFrom('datasetVersions').selectAll().where('id', '=', versionId).executeTakeFirstOrThrow()
}

/** A key of the Data API that cannot be used, because its hash has no known source. */
export async function makeApiKey(userId: string, keyHash = newId()): Promise<Row<'apiKeys'>> {
  const id = newId()
  return insert(db, 'apiKeys', {
    id,
    countedAs: id,
    userId,
    organizationId: userId,
    keyHash,
    name: 'Nightly',
    prefix: 'wn_1',
    monthlyQuota: 1000,
  })
}
