import { sql } from 'kysely'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/database/open.server.ts'
import { db, insert, transaction } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { backUp } from './backup.server.ts'
import { restore } from './restore.server.ts'
import { closeOperatorDoor, openOperatorDoor } from './running.server.ts'

const WRITERS = 3
const ROUNDS = 2

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-busy-'))
const fileOf = (round: number) => path.join(folder, `${round}.tar.gz`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Each writer saves numbered pairs, a person and a job, each pair in one transaction. Tells how many of each were confirmed. */
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
    await openOperatorDoor(env.DATA_DIR)
    const writing = startWriting()
    const before: number[][] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      before.push(writing.confirmed())
      await backUp(fileOf(round))
    }
    await writing.end()
    const after = writing.confirmed()
    closeOperatorDoor(env.DATA_DIR)
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
        // Without a gap: what was written later is there only with everything before it.
        for (let count = 1; count <= found; count += 1) expect(people.has(`${writer}-${count}`)).toBe(true)
      }
    }
    // The writers did write while the backups were made.
    expect(after.every((count, writer) => count > (before.at(-1)?.[writer] ?? 0))).toBe(true)
    expect(before.at(-1)?.every((count) => count > 0)).toBe(true)
  },
)
