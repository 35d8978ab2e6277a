import { mkdtemp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { importVersion, takeFile } from '#app/dataset-intake/import.server.ts'
import { publishVersion } from '#app/dataset-intake/publish.server.ts'
import { readDataset } from '#app/dataset-reading/read-dataset.server.ts'
import { env } from '#app/platform/env.server.ts'
import { signAccessToken } from '#app/session/access-token.server.ts'
import type { Role } from '#app/identity/role.ts'
import { db, insert, newId } from '#app/platform/db.server.ts'
import { ACCESS_COOKIE } from '#app/platform/session-cookie.server.ts'
import type { NewRow, Row } from '#db/tables.ts'

/** Rows that are true to life unless a test says otherwise. */
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

/** Someone who owns the installation, and is named as its owner. */
export async function makeOwner(given: Partial<NewRow<'users'>> = {}): Promise<Row<'users'>> {
  const owner = await makeUser({ ...given, role: 'owner' })
  await db.updateTable('installation').set({ ownerId: owner.id }).execute()
  return owner
}

export type SignedIn = {
  user: Row<'users'>
  session: Row<'sessions'>
  /** What a browser of theirs sends with each request to us. */
  headers: { cookie: string; 'sec-fetch-site': 'same-origin' }
}

/** Someone with an account and a live session. */
export async function signIn(role: Role = 'customer', given: Partial<NewRow<'users'>> = {}): Promise<SignedIn> {
  const user = await makeUser({ ...given, role })
  const session = await insert(db, 'sessions', { userId: user.id })
  const { token } = await signAccessToken(user, session)
  return { user, session, headers: { cookie: `${ACCESS_COOKIE}=${token}`, 'sec-fetch-site': 'same-origin' } }
}

/** One person an address: asked for again, the same. */
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

/** A post that the public can read, unless it says otherwise. */
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

/** A product on the shelf, free unless it has a price, without data yet. */
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

/** The next version of a product, published, made of a small CSV as an upload is. */
export async function makeDataset(
  { id: productId }: Pick<Row<'dataProducts'>, 'id'>,
  csvText: string,
  { changes = '' } = {},
): Promise<Row<'datasetVersions'>> {
  const folder = await mkdtemp(path.join(env.DATA_DIR, 'given-'))
  const file = path.join(folder, 'prices.csv')
  await writeFile(file, csvText)
  const by = { id: newId() }
  const versionId = await takeFile(productId, file, { fileName: 'prices.csv', changes, by })
  // In this process: another one costs a good part of a second.
  await importVersion(versionId, { read: readDataset })
  await publishVersion(versionId, by, { force: true })
  await db.deleteFrom('jobs').where('kind', 'like', 'datasets.%').execute()
  return db.selectFrom('datasetVersions').selectAll().where('id', '=', versionId).executeTakeFirstOrThrow()
}

/** A key of the Data API that opens nothing, because nobody knows what its hash was made of. */
export async function makeApiKey(userId: string, keyHash = newId()): Promise<Row<'apiKeys'>> {
  const id = newId()
  return insert(db, 'apiKeys', { id, countedAs: id, userId, keyHash, name: 'Nightly', prefix: 'wn_1', monthlyQuota: 1000 })
}
