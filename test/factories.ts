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
