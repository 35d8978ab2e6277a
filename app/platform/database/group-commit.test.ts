import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeDatabase, openDatabase } from './open.server.ts'
import { db, transaction } from './db.server.ts'
import { GroupCommit, GROUPS_AT_ONCE, MOST_TOGETHER, QUICK_MS } from './group-commit.server.ts'
import { queryRows } from './sql.server.ts'
import { z } from 'zod'

/** The units of each call, in the order of the calls. */
let calls: string[][] = []
let held = Promise.resolve()
let endHeld = () => {}

const groups = new GroupCommit<string, string>(async (trx, units) => {
  calls.push([...units])
  if (units.includes('held')) await held
  for (const unit of units) await sql`INSERT INTO entries (name) VALUES (${unit})`.execute(trx)
  return units.map((unit) => `${unit} is in`)
})

beforeAll(async () => {
  await openDatabase()
  await sql`CREATE TABLE entries (name text NOT NULL CHECK (name <> 'bad'), CONSTRAINT entries_once UNIQUE (name) DEFERRABLE INITIALLY DEFERRED)`.execute(
    db,
  )
})
beforeEach(async () => {
  await sql`DELETE FROM entries`.execute(db)
  calls = []
})
afterAll(closeDatabase)

const entries = async () => (await queryRows(db, { name: z.string() }, sql`SELECT name FROM entries`)).map(({ name }) => name).toSorted()
const add = async (units: string[]) => Promise.allSettled(units.map((unit) => groups.add(unit)))
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `unit ${String(index).padStart(3, '0')}`)

/** Enough turns of the event loop for a transaction to begin that should not. */
const nextTurns = async () => sleep(100)

const untilBegun = async (count: number) => expect.poll(() => calls.length, { interval: 1 }).toBeGreaterThanOrEqual(count)

/** Begins a transaction that lasts until `end` is called. */
async function beginHeld() {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  endHeld = resolve
  const first = groups.add('held')
  await untilBegun(1)
  return { first, end: resolve }
}

async function addOneByOne(units: string[]) {
  const added: Promise<string>[] = []
  for (const unit of units) {
    added.push(groups.add(unit))
    await sleep(0)
  }
  await nextTurns()
  return added
}

test('units that wait together share transactions, and each gets its own result', async () => {
  const units = numbered(5 * MOST_TOGETHER)
  const results = await Promise.all(units.map((unit) => groups.add(unit)))

  expect(results).toEqual(units.map((unit) => `${unit} is in`))
  expect(await entries()).toEqual(units)
  expect(calls).toHaveLength(5)
  expect(calls.flat().toSorted()).toEqual(units)
})

test('a unit alone does not wait for others', async () => {
  expect(await groups.add('alone')).toBe('alone is in')
  expect(calls).toEqual([['alone']])
})

describe('while a transaction runs', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => {
    // A test that fails must not leave its transaction open, or the database could not be closed.
    endHeld()
    vi.useRealTimers()
  })

  test('units that come one after the other share the next one', async () => {
    const { first, end } = await beginHeld()
    const later = await addOneByOne(['second', 'third'])
    expect(calls).toEqual([['held']])
    end()
    await Promise.all([first, ...later])

    expect(calls).toEqual([['held'], ['second', 'third']])
  })

  test('units that fill another one do not wait, on PostgreSQL', async () => {
    const { first, end } = await beginHeld()
    const units = numbered(MOST_TOGETHER)
    const later = await addOneByOne(units)
    await untilBegun(GROUPS_AT_ONCE)
    expect(calls).toEqual(GROUPS_AT_ONCE === 1 ? [['held']] : [['held'], units])
    end()
    await Promise.all([first, ...later])

    expect(calls).toEqual([['held'], units])
  })

  test('units wait for a slow one only for a short time, on PostgreSQL', async () => {
    const { first, end } = await beginHeld()
    const later = await addOneByOne(['second'])
    expect(calls).toEqual([['held']])
    vi.advanceTimersByTime(QUICK_MS)
    await nextTurns()
    await untilBegun(GROUPS_AT_ONCE)
    expect(calls).toEqual(GROUPS_AT_ONCE === 1 ? [['held']] : [['held'], ['second']])
    end()
    await Promise.all([first, ...later])

    expect(await entries()).toEqual(['held', 'second'])
  })
})

test('a unit that fails fails alone, wherever it is in its group', async () => {
  const good = numbered(6)
  for (const place of [0, 3, 6]) {
    await sql`DELETE FROM entries`.execute(db)
    const settled = await add(good.toSpliced(place, 0, 'bad'))

    expect(settled.map(({ status }) => status)).toEqual(good.map((): string => 'fulfilled').toSpliced(place, 0, 'rejected'))
    expect(await entries()).toEqual(good)
  }
})

test('a commit that fails is not repeated, because nobody knows whether it happened', async () => {
  await add(['same', 'other'])
  calls = []
  const settled = await add(['same', 'third'])

  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(calls).toEqual([['same', 'third']])
  expect(await entries()).toEqual(['other', 'same'])
})

test('work without a result for a unit fails, and leaves nothing behind', async () => {
  const forgetful = new GroupCommit<string, string>(async (trx, units) => {
    for (const unit of units) await sql`INSERT INTO entries (name) VALUES (${unit})`.execute(trx)
    return []
  })
  await expect(forgetful.add('lost')).rejects.toThrow('Each unit needs a result.')
  expect(await entries()).toEqual([])
})

test('after a failure, later units are served', async () => {
  await add(['bad'])
  expect(await groups.add('later')).toBe('later is in')
})

test('a unit cannot be added inside a transaction, which would wait for itself', async () => {
  await expect(transaction(async () => groups.add('inside'))).rejects.toThrow('A transaction is already open')
  expect(await entries()).toEqual([])
})
