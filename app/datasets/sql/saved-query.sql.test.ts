import { beforeEach, describe, expect, test } from 'vitest'
import { transaction, db, insert, newId } from '#app/platform/database/db.server.ts'
import { removeDataAccess } from '#app/auth/directory/remove-data-access.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits } from '#test/auth.ts'
import { makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { queriesOf, pastQueriesOf, SAVED_QUERIES_MAX } from './saved-query.ts'
import { rememberQuery } from './saved-query.server.ts'

const app = await startEndpoints()
beforeEach(forgetLimits)

const call = async (who: SignedIn | undefined, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
  const response = await app.inject({ method, url, headers: who?.headers ?? {}, ...(payload && { payload }) })
  return { status: response.statusCode, body: response.body ? response.json() : undefined }
}
const save = async (who: SignedIn, productId: string, given: object = {}) =>
  call(who, 'POST', queriesOf(productId), { name: 'By shop', sql: 'SELECT shop FROM data', ...given })
const namesFor = async (who: SignedIn, productId: string) =>
  (await call(who, 'GET', queriesOf(productId))).body.map(({ name }: { name: string }) => name)
const past = async (who: SignedIn, productId: string) =>
  (await call(who, 'GET', pastQueriesOf(productId))).body.map(({ sql }: { sql: string }) => sql)

describe('saved queries', () => {
  test('a person saves a query, lists it by name, renames it, changes it, deletes it and saves it again', async () => {
    const [person, product] = [await signIn(), await makeProduct()]
    const saved = await save(person, product.id, { name: '  By   shop ', sql: ' SELECT shop FROM data ' })
    expect(saved).toMatchObject({ status: 201, body: { name: 'By shop', sql: 'SELECT shop FROM data', isShared: false, isOwn: true } })
    await save(person, product.slug, { name: 'all' })
    expect(await namesFor(person, product.id)).toEqual(['all', 'By shop'])

    const { id } = saved.body
    expect((await call(person, 'PATCH', `/api/saved-queries/${id}`, { name: 'Shops' })).body).toMatchObject({ name: 'Shops' })
    expect((await call(person, 'PATCH', `/api/saved-queries/${id}`, { sql: 'SELECT 1' })).body).toMatchObject({
      name: 'Shops',
      sql: 'SELECT 1',
    })
    const deleted = await call(person, 'DELETE', `/api/saved-queries/${id}`)
    expect(await namesFor(person, product.id)).toEqual(['all'])
    const { name, sql, isShared } = deleted.body
    expect((await save(person, product.id, { name, sql, isShared })).status).toBe(201)
    expect(await namesFor(person, product.id)).toEqual(['all', 'Shops'])
  })

  test('a second query of the same name, a query without a name, and more than a hundred are refused with a sentence', async () => {
    const [person, product] = [await signIn(), await makeProduct()]
    await save(person, product.id)
    const other = await save(person, product.id, { name: 'Other' })
    const taken = { name: 'You have a query of this name.' }
    expect(await save(person, product.id, { name: 'BY SHOP' })).toMatchObject({ status: 409, body: { errors: taken } })
    expect((await call(person, 'PATCH', `/api/saved-queries/${other.body.id}`, { name: 'by shop' })).body.errors).toEqual(taken)
    expect(await save(person, product.id, { name: ' ' })).toMatchObject({
      status: 422,
      body: { errors: { name: 'Give the query a name' } },
    })
    const rows = Array.from({ length: SAVED_QUERIES_MAX }, (_, at) => ({
      id: newId(),
      productId: product.id,
      userId: person.user.id,
      name: `n${at}`,
      sql: 'SELECT 1',
    }))
    await db.insertInto('savedQueries').values(rows).execute()
    expect(await save(person, product.id, { name: 'One more' })).toMatchObject({ status: 409, body: { code: 'too_many' } })
  })

  test('staff share a query with everyone who may query the dataset, and only staff do', async () => {
    const [staff, customer, paying] = [await signIn('staff'), await signIn(), await signIn()]
    const product = await makeProduct({ priceCents: 500 })
    const grant = await insert(db, 'entitlements', {
      productId: product.id,
      userId: paying.user.id,
      organizationId: paying.user.id,
      grantedBy: newId(),
    })
    await save(staff, product.id, { name: 'Shared', isShared: true })
    await save(staff, product.id, { name: 'Private' })
    expect(await save(customer, product.id, { isShared: true })).toMatchObject({ status: 403 })
    await save(paying, product.id, { name: 'Mine' })
    expect(await namesFor(paying, product.id)).toEqual(['Mine', 'Shared'])
    expect(await namesFor(customer, product.id)).toEqual([])

    // Access that ends leaves people what is theirs; running it is refused as before.
    await db.updateTable('entitlements').set({ revokedAt: new Date() }).where('id', '=', grant.id).execute()
    expect(await namesFor(paying, product.id)).toEqual(['Mine'])
    const run = await call(paying, 'POST', `/api/data-products/${product.id}/query`, { sql: 'SELECT 1' })
    expect(run).toMatchObject({
      status: 402,
      body: { detail: 'This dataset is paid. Send an access request, and we will email you an invoice.' },
    })
  })

  test('a person who has left the staff changes a shared query only by ending that it is shared', async () => {
    const [author, product] = [await signIn('staff'), await makeProduct()]
    const { body } = await save(author, product.id, { isShared: true })
    await db
      .updateTable('users')
      .set({ appMetadata: JSON.stringify({ ...author.user.appMetadata, role: 'customer' }) })
      .where('id', '=', author.user.id)
      .execute()
    const change = async (given: object) => (await call(author, 'PATCH', `/api/saved-queries/${body.id}`, given)).status
    expect([await change({ sql: 'SELECT 2' }), await change({ isShared: false }), await change({ sql: 'SELECT 2' })]).toEqual([
      403, 200, 200,
    ])
  })

  test('a query of someone else is unknown, shared or not, to staff as well; a stranger signs in first', async () => {
    const [author, staff, product] = [await signIn('staff'), await signIn('owner'), await makeProduct()]
    const { body } = await save(author, product.id, { isShared: true })
    const one = `/api/saved-queries/${body.id}`
    const unknown = { status: 404, body: { detail: 'There is no such saved query.' } }
    expect(await call(staff, 'PATCH', one, { name: 'Theirs' })).toMatchObject(unknown)
    expect(await call(staff, 'DELETE', one)).toMatchObject(unknown)
    expect(await call(staff, 'DELETE', `/api/saved-queries/${newId()}`)).toMatchObject(unknown)
    expect((await call(undefined, 'GET', queriesOf(product.id))).status).toBe(401)
    expect((await call(undefined, 'DELETE', one)).status).toBe(401)
    const hidden = await makeProduct({ hidden: true })
    expect((await save(await signIn(), hidden.id)).status).toBe(404)
  })
})

describe('the history', () => {
  test('has the last 50 queries of a person, newest first, a repeated one once; the person clears it', async () => {
    const [person, other, product, elsewhere] = [await signIn(), await signIn(), await makeProduct(), await makeProduct()]
    await rememberQuery(elsewhere.id, person.user.id, 'SELECT 0')
    for (let at = 1; at <= 51; at += 1) await rememberQuery(product.id, person.user.id, `SELECT ${at}`)
    await rememberQuery(product.id, other.user.id, 'SELECT 7')
    await rememberQuery(product.id, person.user.id, 'SELECT 20')
    const found = await past(person, product.id)
    expect(found).toHaveLength(50)
    expect(found.slice(0, 2)).toEqual(['SELECT 20', 'SELECT 51'])
    expect(found).not.toContain('SELECT 1')
    expect(await past(person, elsewhere.id)).toEqual([])
    expect((await call(person, 'DELETE', pastQueriesOf(product.id))).status).toBe(204)
    expect(await past(person, product.id)).toEqual([])
    expect(await past(other, product.id)).toEqual(['SELECT 7'])
  })

  test('and the saved queries leave with the account', async () => {
    const [person, product] = [await signIn(), await makeProduct()]
    await save(person, product.id)
    await rememberQuery(product.id, person.user.id, 'SELECT 1')
    await transaction(async (trx) => removeDataAccess(trx, person.user.id))
    expect(await namesFor(person, product.id)).toEqual([])
    expect(await past(person, product.id)).toEqual([])
  })
})
