import { sql } from 'kysely'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert, transaction } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { byLength } from '#test/length.ts'
import { backUp } from './backup.server.ts'
import { restore } from './restore.server.ts'
import { closeAdminSocket, openAdminSocket } from './running.server.ts'

const WRITERS = 3
const ROUNDS = byLength(1, 2)

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-busy-'))
const fileOf = (round: number) => path.join(folder, `${round}.tar.gz`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Each writer saves numbered pairs of a person and a job in one transaction. Returns the confirmed count of each writer. */
function startWriting() {
  const confirmed = Array.from({ length: WRITERS }, () => 0)
  const over = new AbortController()
  const write = async (writer: number) => {
    for (let count = 1; !over.signal.aborted; count += 1) {
      const key = `${writer}-${count}`
      await transaction(async (trx) => {
        await insert(trx, 'people', { name: key.padEnd(500, '.'), email: `${key}@pairs.example` })
        await trx.insertInto('jobs').values({ id: crypto.randomUUID(), kind: 'pair', payload: 'null', dedupeKey: key }).execute()
      })
      confirmed[writer] = count
      await pause(5)
    }
  }
  const writers = Promise.all(confirmed.map((_, writer) => write(writer)))
  return {
    confirmed: () => [...confirmed],
    async end() {
      over.abort()
      await writers
    },
  }
}

/** Forces checkpoints while the first copy of the embedded database is made, up to its journal. Returns how many there were. */
async function disturbFirstCopy(): Promise<number> {
  const copies = path.join(env.DATA_DIR, 'temporary/*/copy/pg18')
  const findCopy = () => globSync(copies)[0]
  await expect.poll(findCopy, { timeout: 60_000, interval: 5 }).toBeDefined()
  let count = 0
  for (let copy = findCopy(); copy && !existsSync(path.join(copy, 'pg_wal')); copy = findCopy()) {
    await sql`CHECKPOINT`.execute(db)
    count += 1
    await pause(10)
  }
  return count
}

async function restoredPairs() {
  const people = await sql<{
    key: string
  }>`SELECT split_part(email::text, '@', 1) AS key FROM people WHERE email LIKE '%@pairs.example'`.execute(db)
  const jobs = await sql<{ key: string }>`SELECT dedupe_key AS key FROM jobs WHERE kind = 'pair'`.execute(db)
  return { people: new Set(people.rows.map(({ key }) => key)), jobs: new Set(jobs.rows.map(({ key }) => key)) }
}

test(
  'a backup taken while people write holds everything confirmed before it began, and nothing by half',
  { timeout: 240_000 },
  async () => {
    await openDatabase()
    await openAdminSocket(env.DATA_DIR)
    const writing = startWriting()
    await expect.poll(() => writing.confirmed().every((count) => count > 0)).toBe(true)
    const before: number[][] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      before.push(writing.confirmed())
      if (env.DATABASE_URL) {
        await backUp(fileOf(round))
        continue
      }
      const [checkpoints] = await Promise.all([disturbFirstCopy(), backUp(fileOf(round))])
      expect(checkpoints).toBeGreaterThan(0)
    }
    await writing.end()
    const after = writing.confirmed()
    closeAdminSocket(env.DATA_DIR)
    await closeDatabase()

    for (const [round, least] of before.entries()) {
      await restore(fileOf(round), { force: true })
      await openDatabase()
      const { people, jobs } = await restoredPairs()
      await closeDatabase()
      expect(people).toEqual(jobs)
      for (const [writer, atLeast] of least.entries()) {
        const found = [...people].filter((key) => key.startsWith(`${writer}-`)).length
        expect(found).toBeGreaterThanOrEqual(atLeast)
        expect(found).toBeLessThanOrEqual(after[writer] ?? 0)
        // No gaps: a later pair is present only with all pairs before it.
        for (let count = 1; count <= found; count += 1) expect(people.has(`${writer}-${count}`)).toBe(true)
      }
    }
    // The writers wrote during the backups.
    expect(after.every((count, writer) => count > (before.at(-1)?.[writer] ?? 0))).toBe(true)
    expect(before.at(-1)?.every((count) => count > 0)).toBe(true)
  },
)
