import { beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { accounts } from '#app/account/accounts.server.ts'
import { providerIn } from '#app/auth/hosted/project-token.server.ts'
import { makeKey } from '#app/data-api/keys/api-key.server.ts'
import { ownKeys } from '#app/data-api/keys/key-holding.server.ts'
import { ownOrganization } from '#app/organizations/organization/organization.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeDataset, makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { codeOf, eventsOf, join, organizationsOf } from '#test/organizations.ts'

const app = await startEndpoints()
const { call, found } = organizationsOf(app)
const staff = await signIn('staff')
beforeEach(closeLimits)

const begin = (who: SignedIn, provider: string) =>
  db
    .updateTable('sessions')
    .set({ amr: JSON.stringify([{ method: 'oauth', timestamp: 1, provider }]) })
    .where('id', '=', who.session.id)
    .execute()

async function withGoogle(): Promise<{ admin: SignedIn; id: string }> {
  const admin = await signIn()
  const { id } = await found(admin)
  await begin(admin, 'google')
  await db.updateTable('organizations').set({ signInProvider: 'google' }).where('id', '=', id).execute()
  return { admin, id }
}

test('only a session of this provider opens the organization; keys keep working', async () => {
  const { admin, id } = await withGoogle()
  const product = await makeProduct({ isFree: false, priceCents: 4900 })
  await makeDataset(product, 'shop,price\nNorth,1.50\n')
  await db
    .insertInto('entitlements')
    .values({ id: newId(), productId: product.id, organizationId: id, userId: null, grantedBy: newId() })
    .execute()
  const member = await join(id, 'member')
  const { key } = await makeKey(ownKeys(member.user.id, id), { name: 'Import', productIds: null, expiresInDays: null }, {})

  const paths = [
    ['GET', `/api/organizations/${id}`],
    ['GET', `/api/organizations/${id}/members`],
    ['POST', `/api/data-products/${product.slug}/download`, { downloadType: 'api' }],
    ['GET', `/api/v1/datasets/${product.slug}/rows`],
    ['POST', '/api/keys', { name: 'Mine' }],
    ['PUT', '/api/organizations/current', { id }],
  ] as const
  const asked = async () => Promise.all(paths.map(([method, url, body]) => call(member, method, url, body, id)))
  const refused = await asked()
  expect(refused.map((reply) => [reply.statusCode, codeOf(reply)])).toEqual(paths.map(() => [403, 'sign_in_provider']))
  expect(refused[0]?.json().detail).toBe('Acme Retail asks its members to sign in with Google. Sign out, then sign in with Google.')
  expect(refused[0]?.json().wayOut).toEqual({ label: 'Sign in with Google', url: '/account/organization' })
  // Its name is still in the list, which says what it needs, and their own data is theirs.
  const listed = async () => z.array(ownOrganization).parse((await call(member, 'GET', '/api/organizations')).json())
  expect((await listed()).map(({ signInWith }) => signInWith)).toEqual([undefined, 'google'])
  expect((await call(member, 'GET', `/api/data-products/${product.slug}`, undefined, id)).json()).not.toMatchObject({ access: 'granted' })
  const rows = await app.inject({ url: `/api/v1/datasets/${product.slug}/rows`, headers: { authorization: `Bearer ${key}` } })
  expect(rows.statusCode).toBe(200)

  await begin(member, 'github')
  expect((await asked())[0]?.statusCode).toBe(403)
  await begin(member, 'google')
  expect((await asked()).every(({ statusCode }) => statusCode < 300)).toBe(true)
  expect((await listed()).map(({ signInWith }) => signInWith)).toEqual([undefined, undefined])
  expect((await call(admin, 'GET', `/api/organizations/${id}`)).statusCode).toBe(200)
  expect((await call(staff, 'GET', `/api/organizations/${id}`)).statusCode).toBe(200)
})

test('an admin chooses only the provider that they use, and staff choose any that is served', async () => {
  const admin = await signIn()
  const { id } = await found(admin)
  const place = `/api/organizations/${id}/sign-in`
  expect((await call(admin, 'GET', place)).json()).toEqual({ provider: '', choices: [] })
  const set = (who: SignedIn, provider: string) => call(who, 'PUT', place, { provider })
  expect((await set(admin, 'okta')).statusCode).toBe(422)
  expect((await set(admin, 'twitch')).statusCode).toBe(422)
  vi.spyOn(accounts, 'providers').mockResolvedValue(['google'])
  const served = 'google'
  expect(codeOf(await set(admin, served))).toBe('sign_in_provider')
  expect((await set(staff, served)).json()).toMatchObject({ provider: served })
  expect(codeOf(await set(admin, ''))).toBe('sign_in_provider')
  await begin(admin, served)
  expect((await set(admin, '')).json()).toMatchObject({ provider: '' })
  expect((await set(admin, served)).statusCode).toBe(200)
  expect((await eventsOf(id)).filter((action) => action === 'organization_sign_in_set')).toHaveLength(3)
  expect(codeOf(await call(admin, 'PUT', `/api/organizations/${admin.user.id}/sign-in`, { provider: '' }))).toBe('personal_organization')
})

test('at a hosted service the provider is known where the account has one alone, or the service names it', () => {
  const provider = (method: string, listed: string[], given?: string) =>
    providerIn({ amr: [{ method: 'totp' }, { method, provider: given }], app_metadata: { providers: listed } })
  expect(provider('oauth', ['email', 'google'])).toBe('google')
  expect(provider('oauth', ['google', 'github'])).toBeUndefined()
  expect(provider('password', ['email', 'google'])).toBeUndefined()
  expect(provider('oauth', ['google', 'github'], 'github')).toBe('github')
  expect(provider('sso/saml', ['email'], 'sso:1')).toBe('sso:1')
  expect(provider('oauth', [])).toBeUndefined()
})
