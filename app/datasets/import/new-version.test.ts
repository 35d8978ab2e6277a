import { sql } from 'kysely'
import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { grant, revoke } from '#app/datasets/access/grant.server.ts'
import { makeKey } from '#app/data-api/keys/api-key.server.ts'
import { ownKeys } from '#app/data-api/keys/key-holding.server.ts'
import { keepUsage } from '#app/data-api/keys/usage.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { statementsOf } from '#app/platform/database/migrate.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startEndpoints } from '#test/app.ts'
import { emailsTo } from '#test/emails.ts'
import { makeDataset, makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import type { Column } from '#app/datasets/catalog/column.ts'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
beforeEach(closeLimits)

const DAY_MS = 24 * 3_600_000
const CSV = 'shop,price\nNorth,1\nSouth,2\n'
const by = { id: staff.user.id }

/** Runs the waiting jobs of a kind, as the worker would. */
async function work(kind: string) {
  const jobs = await db.selectFrom('jobs').select(['id', 'payload']).where('kind', '=', kind).where('doneAt', 'is', null).execute()
  for (const { id, payload } of jobs) {
    await jobOf(kind).run(payload, { id, attempt: 1, signal: new AbortController().signal })
    await db.updateTable('jobs').set({ doneAt: new Date() }).where('id', '=', id).execute()
  }
}

async function titlesTo({ headers }: SignedIn): Promise<string[]> {
  await work('notifications.tell')
  const reply = await app.inject({ url: '/api/notifications', headers })
  const { items } = z.object({ items: z.array(z.object({ title: z.string() })) }).parse(reply.json())
  return items.map(({ title }) => title).filter((title) => title.startsWith('New version'))
}

const noticesTo = async ({ user }: SignedIn) => (await emailsTo(user.email ?? '')).filter(({ kind }) => kind === 'notices')

async function download({ headers }: SignedIn, id: string) {
  const payload = { downloadType: 'file', format: 'parquet' }
  expect((await app.inject({ method: 'POST', url: `/api/data-products/${id}/download`, headers, payload })).statusCode).toBe(200)
}

async function readByKey({ user }: SignedIn, slug: string) {
  const { key } = await makeKey(ownKeys(user.id), { name: 'Import', productIds: null, expiresInDays: null }, {})
  const reply = await app.inject({ url: `/api/v1/datasets/${slug}/rows`, headers: { authorization: `Bearer ${key}` } })
  expect(reply.statusCode).toBe(200)
  await keepUsage()
}

describe('who hears of a new version', () => {
  test('of a paid dataset: who was granted it, by email too; who has lost access, or never had it, hears nothing', async () => {
    const product = await makeProduct({ priceCents: 4900 })
    const [granted, revoked, expired, stranger] = [await signIn(), await signIn(), await signIn(), await signIn()]
    await makeDataset(product, CSV)
    await grant({ productId: product.id, userId: granted.user.id, organizationId: granted.user.id }, by)
    for (const person of [revoked, expired]) {
      const { id } = await grant({ productId: product.id, userId: person.user.id, organizationId: person.user.id }, by)
      await download(person, product.id)
      if (person === revoked) await revoke(id, by)
    }
    const past = new Date(Date.now() - 1000)
    await db.updateTable('entitlements').set({ expiresAt: past }).where('userId', '=', expired.user.id).execute()
    await makeDataset(product, CSV)
    expect(await titlesTo(granted)).toEqual([`New version of ${product.name}`])
    for (const person of [revoked, expired, stranger]) expect(await titlesTo(person)).toEqual([])
    await work('notifications.dispatch')
    expect((await noticesTo(granted)).map(({ data }) => data.items)).toEqual([
      [expect.objectContaining({ title: `New version of ${product.name}`, link: `/data-marketplace/${product.slug}` })],
    ])
    expect([await noticesTo(revoked), await noticesTo(expired), await noticesTo(stranger)]).toEqual([[], [], []])
  })

  test('of a free dataset: who has downloaded it, or has read it with a key in 30 days, in the bell alone', async () => {
    const product = await makeProduct()
    const [downloader, reader, longAgo, stranger] = [await signIn(), await signIn(), await signIn(), await signIn()]
    await makeDataset(product, CSV)
    await download(downloader, product.id)
    await readByKey(reader, product.slug)
    await readByKey(longAgo, product.slug)
    const keysOfLongAgo = db.selectFrom('apiKeys').select('id').where('userId', '=', longAgo.user.id)
    const before = new Date(Date.now() - 31 * DAY_MS)
    await db.updateTable('apiKeyReads').set({ readAt: before }).where('keyId', 'in', keysOfLongAgo).execute()
    await makeDataset(product, CSV)
    for (const person of [downloader, reader]) expect(await titlesTo(person)).toEqual([`New version of ${product.name}`])
    for (const person of [longAgo, stranger]) expect(await titlesTo(person)).toEqual([])
    await work('notifications.dispatch')
    expect([await noticesTo(downloader), await noticesTo(reader)]).toEqual([[], []])
  })

  test('who wants no email about paid datasets gets none', async () => {
    const product = await makeProduct({ priceCents: 4900 })
    const person = await signIn()
    await grant({ productId: product.id, userId: person.user.id, organizationId: person.user.id }, by)
    const channels = JSON.stringify({ paid_dataset_version: { email: 'off', push: false } })
    await db.insertInto('notificationPreferences').values({ userId: person.user.id, channels, zone: 'UTC', digestHour: 8 }).execute()
    await makeDataset(product, CSV)
    expect(await titlesTo(person)).toEqual([`New version of ${product.name}`])
    await work('notifications.dispatch')
    expect(await noticesTo(person)).toEqual([])
  })

  test.each([
    [
      { email: 'digest', push: false },
      { email: 'digest', push: false },
    ],
    [
      { email: 'off', push: true },
      { email: 'now', push: true },
    ],
  ])('after the upgrade, a choice of %j for new versions is %j for those of paid datasets', async (before, after) => {
    const { user } = await signIn()
    const channels = JSON.stringify({ dataset_version: before })
    await db.insertInto('notificationPreferences').values({ userId: user.id, channels, zone: 'UTC', digestHour: 8 }).execute()
    const migration = await readFile('db/migrations/0061-versions-told.sql', 'utf8')
    const upgrade = statementsOf(migration).find((statement) => statement.includes('UPDATE notification_preferences')) ?? ''
    await sql.raw(upgrade).execute(db)
    const held = await db.selectFrom('notificationPreferences').select('channels').where('userId', '=', user.id).executeTakeFirst()
    expect(held?.channels).toEqual({ dataset_version: before, paid_dataset_version: after })
  })
})

describe('a first quality check without a rule', () => {
  const publish = async (id: string, number: number, payload: object = {}) =>
    app.inject({ method: 'POST', url: `/api/data-products/${id}/versions/${number}/publish`, headers: staff.headers, payload })
  const versionsOf = async (id: string) =>
    (await app.inject({ url: `/api/data-products/${id}/versions`, headers: staff.headers })).json<StaffVersion[]>()
  const thousand = `shop,price\n${Array.from({ length: 1000 }, (_, at) => `S${at},${at}\n`).join('')}`
  /** A version that waits for its publication, as after an upload. */
  async function offer(product: { id: string }, csvText: string) {
    const { id, number } = await makeDataset(product, csvText, { publish: false })
    return { id, number }
  }

  test.each([
    ['3 rows after 1,000', 'shop,price\nA,1\nB,2\nC,3\n', ['3 rows; version 1 has 1,000']],
    [
      'half of the rows',
      `shop,price\n${Array.from({ length: 500 }, (_, at) => `S${at},${at}\n`).join('')}`,
      ['500 rows; version 1 has 1,000'],
    ],
    ['a column gone', thousand.replace('shop,price', 'shop,cost'), ['Missing: price']],
    [
      'a column of another type',
      thousand.replace('S7,7\n', 'S7,seven\n').replaceAll(/,(\d+)\n/g, ',n$1\n'),
      ['price was integer and is now text'],
    ],
  ])(
    '%s: the version is held, customers keep theirs, and staff may publish it with a reason that is kept',
    async (_what, next, reasons) => {
      const product = await makeProduct()
      await makeDataset(product, thousand)
      const { number } = await offer(product, next)
      const refused = await publish(product.id, number)
      expect([refused.statusCode, refused.json()]).toEqual([409, expect.objectContaining({ code: 'gate_failed' })])
      expect(refused.json().problems.map(({ found }: { found: string }) => found)).toEqual(reasons)
      expect((await versionsOf(product.id)).map(({ isCurrent }) => isCurrent)).toEqual([false, true])
      const silent = await publish(product.id, number, { force: true })
      expect([silent.statusCode, Object.keys(silent.json().errors)]).toEqual([422, ['reason']])
      const forced = { force: true, reason: 'The shops have closed.', changes: 'Fewer shops.' }
      expect((await publish(product.id, number, forced)).statusCode).toBe(204)
      const [version] = await versionsOf(product.id)
      expect(version).toMatchObject({ isCurrent: true, forcedReason: 'The shops have closed.', changes: 'Fewer shops.' })
      const events = await db.selectFrom('auditEvents').select('detail').where('action', '=', 'dataset_published').execute()
      expect(events.map(({ detail }) => detail)).toContainEqual(
        expect.objectContaining({ product: product.id, number, reason: 'The shops have closed.', forced: [expect.any(String)] }),
      )
    },
  )

  test('a version like the last one is published without a question', async () => {
    const product = await makeProduct()
    await makeDataset(product, thousand)
    const { number } = await offer(product, `shop,price,note\n${Array.from({ length: 501 }, (_, at) => `S${at},${at},new\n`).join('')}`)
    expect((await publish(product.id, number)).statusCode).toBe(204)
    expect((await versionsOf(product.id))[0]).toMatchObject({ isCurrent: true, forcedReason: '' })
  })

  test('a version is compared with what customers have when it is published, not when it was imported', async () => {
    const product = await makeProduct()
    await makeDataset(product, CSV)
    const first = await offer(product, 'shop,price\nA,1\nB,2\n')
    await makeDataset(product, thousand)
    expect((await publish(product.id, first.number)).json()).toMatchObject({ code: 'gate_failed' })
  })

  test('a product with a rule of its own for lost rows is judged by that rule', async () => {
    const product = await makeProduct({ gate: JSON.stringify({ mostLoss: 0.999 }) })
    await makeDataset(product, thousand)
    const { number } = await offer(product, 'shop,price\nA,1\n')
    expect((await publish(product.id, number)).statusCode).toBe(204)
  })
})

describe('the public sample of a paid dataset', () => {
  const rows = (count: number) => `shop,kind\n${Array.from({ length: count }, (_, at) => `S${at},${at % 7}\n`).join('')}`
  const detail = z.object({
    sampleData: z.string().transform((text) => z.array(z.unknown()).parse(JSON.parse(text))),
  })
  const seen = async (slug: string) => detail.parse((await app.inject({ url: `/api/data-products/${slug}` })).json())

  test.each([
    [3, 1],
    [19, 1],
    [20, 2],
    [49, 4],
    [1000, 5],
  ])('of %i rows shows %i', async (count, shown) => {
    const product = await makeProduct({ priceCents: 4900 })
    await makeDataset(product, rows(count))
    expect((await seen(product.slug)).sampleData).toHaveLength(shown)
  })

  test.each([
    ['19 rows', 19, 1, false, false],
    ['49 rows', 49, 4, true, false],
    ['1,000 rows', 1000, 7, true, true],
  ])('of %s, the profile of a column names at most a tenth: values, range and bars', async (_what, count, values, hasRange, hasBars) => {
    const product = await makeProduct({ priceCents: 4900 })
    await makeDataset(
      product,
      rows(count)
        .replace('shop,kind', 'shop,kind,price')
        .replaceAll(/S(\d+),(\d)\n/g, 'S$1,k$2,$1\n'),
    )
    const columnsFor = async (headers = {}) => {
      const reply = await app.inject({ url: `/api/data-products/${product.slug}`, headers })
      return reply.json<{ columns: Column[] }>().columns
    }
    const [, kind, price] = await columnsFor()
    expect(kind?.topValues).toHaveLength(values)
    expect([price?.min !== null, price?.max !== null, price?.histogram !== null]).toEqual([hasRange, hasRange, hasBars])
    // Who has the dataset sees all of it.
    const [, whole, all] = await columnsFor(staff.headers)
    expect([whole?.topValues.length, all?.min, all?.histogram !== null]).toEqual([7, '0', true])
  })

  test('grows when the dataset becomes free, and shrinks when it gets a price', async () => {
    const product = await makeProduct()
    await makeDataset(product, rows(20))
    expect((await seen(product.slug)).sampleData).toHaveLength(5)
    const { slug, name, description, category } = product
    for (const [price, shown] of [
      [4900, 2],
      [0, 5],
    ]) {
      const payload = { slug, name, description, category, price, hidden: false }
      const reply = await app.inject({ method: 'PUT', url: `/api/data-products/${product.id}`, headers: staff.headers, payload })
      expect(reply.statusCode).toBe(200)
      expect((await seen(slug)).sampleData).toHaveLength(shown ?? 0)
    }
  })

  test('warns staff before a small one is published', async () => {
    const product = await makeProduct({ priceCents: 4900 })
    const { id } = product
    await makeDataset(product, rows(3), { publish: false })
    const [version] = (await app.inject({ url: `/api/data-products/${id}/versions`, headers: staff.headers })).json<StaffVersion[]>()
    expect(version?.warnings).toEqual([
      'This paid dataset is small: its public sample shows 1 of 3 rows. That is more than a tenth of what customers pay for.',
    ])
    const free = await makeProduct()
    await makeDataset(free, rows(3), { publish: false })
    expect((await app.inject({ url: `/api/data-products/${free.id}/versions`, headers: staff.headers })).json()).toMatchObject([
      { warnings: [] },
    ])
  })
})

test('other names of columns that cannot be taken are refused with a reason, and only staff give any', async () => {
  const { id } = await makeProduct()
  const ask = async (names: unknown, { headers }: SignedIn = staff) =>
    app.inject({ method: 'POST', url: `/api/data-products/${id}/versions/1/columns`, headers, payload: { names } })
  const reasons = []
  for (const names of [3, [], [{ column: 1.5, name: 'x' }], [{ column: 1, name: ' ' }], [{ column: 1, name: 'x'.repeat(201) }]])
    reasons.push((await ask(names)).json().detail)
  expect(reasons).toEqual([
    'Name the columns',
    'Name the columns',
    'column is a whole number from 1 to 2000',
    'Each column needs a name',
    'A column’s name has at most 200 characters',
  ])
  expect((await ask([{ column: 1, name: 'x' }], await signIn('customer'))).statusCode).toBe(403)
})
