import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { revokeKeys } from '#app/auth/users/user-keys.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeUser, signIn, type SignedIn } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'
import { apiKey, keyUsage, madeKey, MONTHLY_QUOTA, MOST_KEYS } from './api-key.ts'
import { openKey } from './key-holder.server.ts'
import { isWellFormed, newKey } from './key-text.server.ts'
import { refundRequest, spend } from './quota.server.ts'
import { keepUsage, noteUsage } from './usage.server.ts'

const app = await startEndpoints()

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

const call = ({ headers }: Pick<SignedIn, 'headers'>, method: Method, path = '', payload?: object) =>
  app.inject({ method, url: `/api/keys${path}`, headers, ...(payload && { payload }) })

async function makeKey(person: SignedIn, given: object = {}) {
  const reply = await call(person, 'POST', '', { name: 'Nightly import', ...given })
  expect(reply.body).toContain('"key":"wn_')
  return madeKey.parse(reply.json())
}

const list = async (person: SignedIn) => z.array(apiKey).parse((await call(person, 'GET')).json())
const rotate = (person: SignedIn, id: string, body: object = {}) => call(person, 'POST', `/${id}/rotate`, body)
const usageOf = async (person: SignedIn, id: string) => keyUsage.parse((await call(person, 'GET', `/${id}/usage`)).json())
const setQuota = (headers: SignedIn['headers'], id: string, monthlyQuota: number) =>
  app.inject({ method: 'PATCH', url: `/api/admin/keys/${id}`, headers, payload: { monthlyQuota } })

/** Returns why a key is refused, or `opened`. */
const tryKey = (text: string) =>
  openKey(text, '127.0.0.1').then(
    () => 'opened',
    (error: unknown) => (error instanceof Object && 'extra' in error ? error.extra : error),
  )
const trySpend = async (text: string) => {
  const { key } = await openKey(text, '127.0.0.1')
  return spend(key).then(
    ({ used }) => used,
    () => 'refused' as const,
  )
}

const makeProduct = (given: { hidden?: boolean } = {}) =>
  insert(db, 'dataProducts', {
    slug: `prices-${newId()}`,
    name: 'Prices of 40 shops',
    position: 1,
    description: 'Every morning.',
    category: 'Prices',
    priceCents: 0,
    isFree: true,
    hidden: false,
    ...given,
  })

describe('happy', () => {
  test('a key is shown once, kept as a hash, told by its first letters, and its owner gets a letter without it', async () => {
    const person = await signIn()
    const product = await makeProduct()
    const { key, ...made } = await makeKey(person, { name: '  Nightly\nimport ', productIds: [product.id], expiresInDays: 90 })
    expect(key).toMatch(/^wn_[\dA-Za-z]{43}$/)
    expect(made).toMatchObject({ name: 'Nightly import', prefix: key.slice(0, 11), state: 'live', used: 0, monthlyQuota: MONTHLY_QUOTA })
    expect(made.datasets).toEqual([{ id: product.id, slug: product.slug, name: product.name }])
    expect(Date.parse(made.expiresAt ?? '') - Date.parse(made.createdAt)).toBeGreaterThan(89 * 86_400_000)
    expect(await list(person)).toEqual([made])
    const stored = JSON.stringify(await db.selectFrom('apiKeys').selectAll().where('id', '=', made.id).execute())
    expect([stored.includes(key), stored.includes(key.slice(12, 30))]).toEqual([false, false])
    const emails = await emailsTo(person.user.email ?? '')
    expect(emails).toEqual([{ kind: 'api-key-made', data: expect.objectContaining({ prefix: made.prefix, replaced: null }) }])
    expect(JSON.stringify(emails)).not.toContain(key)
    expect((await openKey(key, '127.0.0.1')).owner).toMatchObject({ id: person.user.id, role: 'customer' })
    expect((await list(person))[0]?.lastUsedAt).not.toBeNull()
  })

  test('a key that is rotated works on beside the new one for as long as was chosen, both are counted as one, and a letter says so', async () => {
    const person = await signIn()
    const old = await makeKey(person, { expiresInDays: 30 })
    await trySpend(old.key)
    const fresh = madeKey.parse((await rotate(person, old.id, { overlapHours: 48 })).json())
    expect([await tryKey(old.key), await tryKey(fresh.key), await trySpend(fresh.key)]).toEqual(['opened', 'opened', 2])
    const [first, second] = await list(person)
    expect([first, second]).toMatchObject([
      { id: fresh.id, state: 'live', used: 2 },
      { id: old.id, state: 'replaced', replacedBy: fresh.id, used: 2 },
    ])
    expect(Date.parse(second?.expiresAt ?? '')).toBeLessThanOrEqual(Date.now() + 48 * 3_600_000)
    // The new key expires when the old one would have.
    expect(Date.parse(first?.expiresAt ?? '')).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    expect((await emailsTo(person.user.email ?? '')).at(-1)?.data).toMatchObject({ replaced: { prefix: old.prefix } })
    const gone = await makeKey(person)
    await rotate(person, gone.id, { overlapHours: 0 })
    expect(await tryKey(gone.key)).toEqual({ code: 'key_expired' })
  })

  test('a key that is revoked stops with its next request; each step is in the log of what was done', async () => {
    const person = await signIn()
    const { id, key } = await makeKey(person)
    expect((await call(person, 'PATCH', `/${id}`, { name: 'Reports' })).json()).toMatchObject({ id, name: 'Reports' })
    expect((await call(person, 'DELETE', `/${id}`)).statusCode).toBe(204)
    expect([await tryKey(key), (await call(person, 'DELETE', `/${id}`)).statusCode]).toEqual([{ code: 'key_revoked' }, 204])
    expect(await list(person)).toMatchObject([{ state: 'revoked', revokedAt: expect.any(String) }])
    const events = await db
      .selectFrom('auditEvents')
      .selectAll()
      .where('action', 'like', 'api_key_%')
      .where('subjectId', '=', person.user.id)
      .orderBy('id')
      .execute()
    expect(events.map(({ action }) => action)).toEqual(['api_key_made', 'api_key_renamed', 'api_key_revoked'])
    expect(events.every(({ actorId, detail }) => actorId === person.user.id && !JSON.stringify(detail).includes(key))).toBe(true)
  })

  test('a revoked key works again when its owner undoes that within 30 seconds; undoing twice changes nothing more', async () => {
    const person = await signIn()
    const { id, key } = await makeKey(person)
    await call(person, 'DELETE', `/${id}`)
    expect(await tryKey(key)).toEqual({ code: 'key_revoked' })
    const undone = await Promise.all([call(person, 'POST', `/${id}/restore`), call(person, 'POST', `/${id}/restore`)])
    expect(undone.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(apiKey.parse(undone[0]?.json())).toMatchObject({ id, state: 'live', revokedAt: null })
    expect([await tryKey(key), (await call(person, 'POST', `/${id}/restore`)).statusCode]).toEqual(['opened', 200])
    const events = db.selectFrom('auditEvents').selectAll().where('action', '=', 'api_key_revocation_undone')
    expect(await events.where('subjectId', '=', person.user.id).execute()).toMatchObject([{ actorId: person.user.id }])
  })

  test('however many come at once, exactly the quota is answered, and its owner is told at 80 % and at the end, once each', async () => {
    const person = await signIn()
    const { id, key } = await makeKey(person)
    const { headers } = await signIn('staff')
    expect((await setQuota(headers, id, 20)).json()).toMatchObject({ monthlyQuota: 20 })
    const served = await Promise.all(Array.from({ length: 50 }, () => trySpend(key)))
    const counts = served.filter((used) => used !== 'refused').toSorted((one, other) => one - other)
    expect(counts).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    const told = async () => (await emailsTo(person.user.email ?? '')).flatMap(({ kind, data }) => (kind === 'api-quota' ? data.share : []))
    expect(await told()).toEqual([80, 100])
    expect(await usageOf(person, id)).toMatchObject({ used: 20, monthlyQuota: 20 })
    // A refunded request can be made again.
    const holder = await openKey(key, '127.0.0.1')
    expect(holder.used).toBe(20)
    const { month } = await db.selectFrom('apiQuotas').selectAll().where('keyId', '=', id).executeTakeFirstOrThrow()
    await refundRequest(holder.key, { used: 20, month, day: new Date().toISOString().slice(0, 10) })
    expect([await trySpend(key), await trySpend(key), await told()]).toEqual([20, 'refused', [80, 100]])
    // A larger quota sends its emails again.
    await setQuota(headers, id, 26)
    expect([await trySpend(key), await told()]).toEqual([21, [80, 100, 80]])
  })

  test('what a key was used for is told day by day, for 30 days', async () => {
    const person = await signIn()
    const { id, key } = await makeKey(person)
    await trySpend(key)
    const { key: row } = await openKey(key, '127.0.0.1')
    noteUsage(row, { rows: 100 })
    noteUsage(row, { refused: 1 })
    await keepUsage()
    const { days, resetsAt } = await usageOf(person, id)
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toEqual({ date: new Date().toISOString().slice(0, 10), requests: 1, refused: 1, rows: 100 })
    expect(days[0]).toMatchObject({ requests: 0, refused: 0, rows: 0 })
    expect(resetsAt).toMatch(/-01T00:00:00\.000Z$/)
  })
})

describe('error', () => {
  test('what cannot be is told at its field', async () => {
    const person = await signIn()
    const refusals = await Promise.all(
      [
        { name: ' ' },
        { name: 'x'.repeat(61) },
        { name: 'Mine', productIds: [newId()] },
        { name: 'Mine', productIds: [(await makeProduct({ hidden: true })).id] },
        { name: 'Mine', productIds: [] },
        { name: 'Mine', productIds: ['prices'] },
        { name: 'Mine', expiresInDays: 0 },
        { name: 'Mine', expiresInDays: 731 },
      ].map(async (body) => {
        const reply = await call(person, 'POST', '', body)
        return [reply.statusCode, Object.keys(reply.json().errors)]
      }),
    )
    const fields = ['name', 'name', 'productIds', 'productIds', 'productIds', 'productIds.0', 'expiresInDays', 'expiresInDays']
    expect(refusals).toEqual(fields.map((field) => [422, [field]]))
    const { id } = await makeKey(person)
    expect((await rotate(person, id, { overlapHours: 169 })).json().errors).toHaveProperty('overlapHours')
    expect((await call(person, 'PATCH', `/${newId()}`, { name: 'Mine' })).statusCode).toBe(404)
    expect((await call(person, 'GET', '/mine/usage')).statusCode).toBe(422)
  })

  test('a key that was replaced, has ended, or overlaps with one before it, is not rotated', async () => {
    const person = await signIn()
    const first = await makeKey(person)
    const second = madeKey.parse((await rotate(person, first.id)).json())
    const codeOf = async (id: string) => (await rotate(person, id)).json().code
    expect([await codeOf(first.id), await codeOf(second.id)]).toEqual(['key_replaced', 'key_overlaps'])
    await call(person, 'DELETE', `/${first.id}`)
    expect([await codeOf(first.id), (await rotate(person, second.id)).statusCode]).toEqual(['key_ended', 201])
  })

  test(`a person has ${MOST_KEYS} keys at most, however many ask at once, and a used one that is revoked counts until the month ends`, async () => {
    const person = await signIn()
    const used = await makeKey(person)
    await trySpend(used.key)
    await call(person, 'DELETE', `/${used.id}`)
    const replies = await Promise.all(Array.from({ length: MOST_KEYS + 3 }, () => call(person, 'POST', '', { name: 'Mine' })))
    const statuses = replies.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 201)).toHaveLength(MOST_KEYS - 1)
    expect(replies.find(({ statusCode }) => statusCode !== 201)?.json()).toMatchObject({ status: 409, code: 'too_many_keys' })
    const [unused] = await list(person)
    await call(person, 'DELETE', `/${unused?.id}`)
    expect((await call(person, 'POST', '', { name: 'Mine' })).statusCode).toBe(201)
  })
})

describe('error', () => {
  test('a revocation is not undone after 30 seconds, where the account made it, or beyond the limits of new keys', async () => {
    const person = await signIn()
    const { id, key } = await makeKey(person)
    const undo = async (keyId: string) => {
      const reply = await call(person, 'POST', `/${keyId}/restore`)
      return [reply.statusCode, reply.json().code]
    }
    await call(person, 'DELETE', `/${id}`)
    await db
      .updateTable('apiKeys')
      .set({ revokedAt: new Date(Date.now() - 31_000) })
      .where('id', '=', id)
      .execute()
    expect([await undo(id), await tryKey(key)]).toEqual([[409, 'too_late'], { code: 'key_revoked' }])

    const taken = await makeKey(person)
    await transaction((trx) => revokeKeys(trx, person.user.id, { id: person.user.id }))
    expect([await undo(taken.id), await tryKey(taken.key)]).toEqual([[409, 'too_late'], { code: 'key_revoked' }])

    const first = await makeKey(person)
    const second = madeKey.parse((await rotate(person, first.id)).json())
    await call(person, 'DELETE', `/${first.id}`)
    await rotate(person, second.id)
    expect([await undo(first.id), await tryKey(first.key)]).toEqual([[409, 'key_overlaps'], { code: 'key_revoked' }])

    const last = await makeKey(person)
    await call(person, 'DELETE', `/${last.id}`)
    for (let made = 1; made < MOST_KEYS; made += 1) await makeKey(person)
    expect([await undo(last.id), await tryKey(last.key)]).toEqual([[409, 'too_many_keys'], { code: 'key_revoked' }])
  })
})

describe('security', () => {
  test('nobody sees, renames, rotates or revokes the keys of others, whatever their role; only staff set a quota', async () => {
    const victim = await signIn()
    const { id, key } = await makeKey(victim)
    for (const role of ['customer', 'staff', 'owner'] as const) {
      const other = await signIn(role)
      const replies = [
        await call(other, 'PATCH', `/${id}`, { name: 'Mine' }),
        await rotate(other, id),
        await call(other, 'DELETE', `/${id}`),
        await call(other, 'POST', `/${id}/restore`),
        await call(other, 'GET', `/${id}/usage`),
        await setQuota(other.headers, id, 5),
      ]
      expect([role, replies.map(({ statusCode }) => statusCode)]).toEqual([
        role,
        [404, 404, 404, 404, 404, role === 'customer' ? 403 : 200],
      ])
      expect(await list(other)).toEqual([])
    }
    expect((await setQuota(victim.headers, id, 5)).statusCode).toBe(403)
    expect([await tryKey(key), (await list(victim))[0]?.name]).toEqual(['opened', 'Nightly import'])
  })

  test('a key stops with the account: banned, deleted, emptied; and where a letter of it is wrong it is refused without being looked for', async () => {
    const codes = []
    for (const change of [{ bannedUntil: new Date(Date.now() + 60_000) }, { deletedAt: new Date() }]) {
      const person = await signIn()
      const { key } = await makeKey(person)
      await db.updateTable('users').set(change).where('id', '=', person.user.id).execute()
      codes.push(await tryKey(key))
    }
    expect(codes).toEqual([{ code: 'key_owner_gone' }, { code: 'key_owner_gone' }])
    const { text, hash, prefix } = newKey()
    const wrong = text.slice(0, 20) + (text[20] === 'a' ? 'b' : 'a') + text.slice(21)
    expect([text, wrong, `${text}0`, text.slice(0, -1), text.toLowerCase()].map(isWellFormed)).toEqual([true, false, false, false, false])
    expect([await tryKey(text), await tryKey(wrong)]).toEqual([{ code: 'invalid_key' }, { code: 'invalid_key' }])
    // A key goes with the row of its account.
    const id = newId()
    const { id: userId } = await makeUser()
    await insert(db, 'apiKeys', { id, countedAs: id, userId, organizationId: userId, name: 'Mine', prefix, keyHash: hash, monthlyQuota: 1 })
    await db.deleteFrom('users').where('id', '=', userId).execute()
    expect(await tryKey(text)).toEqual({ code: 'invalid_key' })
  })

  test('a key opens none of these endpoints, and a foreign page makes none', async () => {
    const person = await signIn()
    const { key, id } = await makeKey(person)
    const bearer = { authorization: `Bearer ${key}` }
    const asked = [
      ['GET', '/api/keys'],
      ['POST', '/api/keys'],
      ['PATCH', `/api/keys/${id}`],
      ['POST', `/api/keys/${id}/rotate`],
      ['DELETE', `/api/keys/${id}`],
      ['POST', `/api/keys/${id}/restore`],
      ['GET', `/api/keys/${id}/usage`],
    ] as const
    // With the cookie present, only the bearer counts.
    for (const headers of [bearer, { ...person.headers, ...bearer }]) {
      const payload = { name: 'Mine' }
      const statuses = await Promise.all(
        asked.map(async ([method, url]) => (await app.inject({ method, url, headers, ...(method !== 'GET' && { payload }) })).statusCode),
      )
      expect(statuses).toEqual(asked.map(() => 401))
    }
    const foreign = { ...person.headers, 'sec-fetch-site': 'cross-site' }
    expect((await app.inject({ method: 'POST', url: '/api/keys', headers: foreign, payload: { name: 'Theirs' } })).statusCode).toBe(403)
  })
})
