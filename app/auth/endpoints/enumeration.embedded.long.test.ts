import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { createQueryId, PostgresQueryCompiler, sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.EXTERNAL_PHONE_ENABLED = 'true'
})

import * as hashing from '#app/auth/sessions/hashing.server.ts'
import { db, openedDatabase, useDatabase } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { useRealPasswordCost } from '#test/password-cost.ts'

useRealPasswordCost()

// Requests that must take the same time do the same work: this many hashes, this many statements and transactions of the database.

const app = await startEndpoints()
const call = authClient(app)
beforeEach(forgetLimits)

/** The statements are in the order of their texts; each transaction is one more. */
type Cost = { status: number; hashes: number; statements: string[] }

const costOf = (path: string, body: object) => workOf(() => call('POST', path, body))

/** The texts of statements may differ, but not their number. Where it does, the error names the texts that only one of them has. */
function expectSame(cost: Cost, usual: Cost, path = '') {
  const without = (one: string[], other: string[]) => one.filter((text) => !other.includes(text))
  const isSame = cost.statements.length === usual.statements.length
  const onlyIn = (one: string[], other: string[]) => (isSame ? [] : without(one, other))
  expect({ ...cost, path, statements: cost.statements.length, only: onlyIn(cost.statements, usual.statements) }).toEqual({
    ...usual,
    path,
    statements: usual.statements.length,
    only: onlyIn(usual.statements, cost.statements),
  })
}

/** Returns the measurement with the fewest statements of three. Other work in this process can add statements, but never removes any. */
async function smallest(measure: () => Promise<Cost>): Promise<Cost> {
  const costs = [await measure(), await measure(), await measure()]
  const [least] = costs.toSorted((one, other) => one.statements.length - other.statements.length)
  return least ?? measure()
}

async function workOf(ask: () => ReturnType<typeof call>): Promise<Cost> {
  await forgetLimits()
  const opened = openedDatabase()
  const texts: string[] = []
  const kysely = opened.kysely.withPlugin({
    transformQuery({ node }) {
      texts.push(new PostgresQueryCompiler().compileQuery(node, createQueryId()).sql)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  useDatabase({ ...opened, kysely })
  const transaction = vi.spyOn(PGlite.prototype, 'transaction')
  await opened.kysely.transaction().execute(async () => undefined)
  const [own] = transaction.mock.contexts
  expect(own).toBeInstanceOf(PGlite)
  transaction.mockClear()
  // A file that ran before in this worker can have a database that is still open.
  const list = () => [...texts, ...transaction.mock.contexts.flatMap((engine) => (engine === own ? 'BEGIN' : []))]
  const before = hashing.hashCount
  const reply = await ask()
  // The audit log is written while the response is sent. It must do the same work too, or it would slow the next request.
  for (let [count, quiet] = [list().length, 0]; quiet < 3; quiet += 1) {
    await sleep(50)
    // After what is being run: a transaction on a busy machine takes longer than any pause.
    await sql`SELECT 1`.execute(opened.kysely)
    if (count !== list().length) [count, quiet] = [list().length, -1]
  }
  const statements = list().toSorted()
  useDatabase(opened)
  transaction.mockRestore()
  return { status: reply.statusCode, hashes: hashing.hashCount - before, statements }
}

test('a wrong password costs the same for known, unknown, unconfirmed, banned and passwordless accounts', async () => {
  const known = await signUpAndConfirm(app)
  const banned = await signUpAndConfirm(app)
  const bannedUntil = new Date(Date.now() + 60_000)
  await db.updateTable('users').set({ bannedUntil }).where('email', '=', banned.email).execute()
  const passwordless = await signUpAndConfirm(app)
  await db.updateTable('users').set({ passwordHash: null }).where('email', '=', passwordless.email).execute()
  const unconfirmed = someEmail()
  await call('POST', '/signup', { email: unconfirmed, password: PASSWORD })

  const unknown = await costOf('/token?grant_type=password', { email: someEmail(), password: 'wrong horse' })
  expect(unknown).toMatchObject({ status: 400, hashes: 1 })
  expect(unknown.statements.length).toBeGreaterThan(0)
  for (const email of [known.email, banned.email, passwordless.email, unconfirmed]) {
    expectSame(await costOf('/token?grant_type=password', { email, password: 'wrong horse' }), unknown)
  }
  expectSame(await costOf('/token?grant_type=password', { email: unconfirmed, password: PASSWORD }), unknown)
})

test('signing up costs the same for a new, an unconfirmed and a confirmed address', async () => {
  const confirmed = await signUpAndConfirm(app)
  const unconfirmed = someEmail()
  const proof = { code_challenge: 'x'.repeat(43), code_challenge_method: 's256' }
  const begun = await costOf('/signup', { email: someEmail(), password: PASSWORD, ...proof })
  expectSame(await costOf('/signup', { email: confirmed.email, password: PASSWORD, ...proof }), begun)
  const fresh = await costOf('/signup', { email: unconfirmed, password: PASSWORD })
  expect(fresh).toMatchObject({ status: 200, hashes: 1 })
  expect(fresh.statements.length).toBeGreaterThanOrEqual(5)
  expectSame(await costOf('/signup', { email: unconfirmed, password: PASSWORD }), fresh)
  expectSame(await costOf('/signup', { email: confirmed.email, password: PASSWORD }), fresh)
})

test('requesting an email and trying a code cost the same with and without an account', async () => {
  const { email } = await signUpAndConfirm(app)
  const banned = await signUpAndConfirm(app)
  await db
    .updateTable('users')
    .set({ bannedUntil: new Date(Date.now() + 60_000) })
    .where('email', '=', banned.email)
    .execute()
  const passwordless = await signUpAndConfirm(app)
  await db.updateTable('users').set({ passwordHash: null }).where('email', '=', passwordless.email).execute()
  for (const [path, body] of [
    ['/recover', {}],
    ['/resend', { type: 'signup' }],
    ['/resend', { type: 'email_change' }],
    ['/otp', {}],
    ['/otp', { create_user: false }],
    ['/magiclink', {}],
    ['/verify', { type: 'email', token: '123456' }],
  ] as const) {
    const unknown = await costOf(path, { ...body, email: someEmail() })
    expect(unknown.statements.length).toBeGreaterThan(0)
    for (const known of [email, banned.email, passwordless.email]) {
      expectSame(await costOf(path, { ...body, email: known }), unknown, path)
    }
  }
})

test('changing an address or number costs the same whether or not it has an account', async () => {
  const holder = await signUpAndConfirm(app)
  const number = () => `4915119${String(Math.trunc(Math.random() * 1_000_000)).padStart(6, '0')}`
  const phone = number()
  await db.updateTable('users').set({ phone, phoneConfirmedAt: new Date() }).where('email', '=', holder.email).execute()
  for (const [taken, free] of [
    [{ email: holder.email }, { email: someEmail() }],
    [{ phone }, { phone: number() }],
  ] as const) {
    const { session } = await signUpAndConfirm(app)
    const cost = (body: object) => smallest(() => workOf(() => call('PUT', '/user', body, bearer(session))))
    // An account's first request inserts its tokens; later ones replace them.
    await cost(free)
    const usual = await cost(free)
    expect(usual.status).toBe(200)
    expectSame(await cost(taken), usual)
  }
})

test('a code for a phone costs the same with and without an account', async () => {
  const { email } = await signUpAndConfirm(app)
  const phone = '4915118000001'
  await db.updateTable('users').set({ phone, phoneConfirmedAt: new Date() }).where('email', '=', email).execute()
  for (const more of [{}, { create_user: false }]) {
    await costOf('/otp', { phone, ...more })
    const known = await costOf('/otp', { phone, ...more })
    expect(known.status).toBe(200)
    expectSame(await costOf('/otp', { phone: `491511800000${'create_user' in more ? 2 : 3}`, ...more }), known)
  }
})

test('a wrong password and a wrong code run the same statements with and without an account: one that ran before is faster', async () => {
  const { email } = await signUpAndConfirm(app)
  for (const [path, body] of [
    ['/token?grant_type=password', { password: 'wrong horse' }],
    ['/verify', { type: 'email', token: '123456' }],
  ] as const) {
    const unknown = await workOf(() => call('POST', path, { ...body, email: someEmail() }))
    expect(unknown.statements.length).toBeGreaterThan(0)
    expect(await workOf(() => call('POST', path, { ...body, email }))).toEqual(unknown)
  }
})
