import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { eventually } from '#test/eventually.ts'
import { closeEngine, literal, queryDuckdb } from './engine.server.ts'
import type { WrittenVersion } from './pieces.server.ts'
import { readRows } from '#test/dataset-rows.ts'

const derived = path.resolve(env.DATA_DIR, 'cache', 'rows')
const namesOf = (id: string) => (existsSync(derived) ? readdirSync(derived).filter((name) => name.startsWith(id)) : [])

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(closeEngine)

async function keepVersion(rows: number): Promise<WrittenVersion> {
  const id = newId()
  const file = path.resolve(env.DATA_DIR, 'files/datasets', id, 'data.parquet')
  mkdirSync(path.dirname(file), { recursive: true })
  await queryDuckdb(`COPY (SELECT range AS at, md5(range::VARCHAR) AS note FROM range(${rows})) TO ${literal(file)} (FORMAT parquet)`)
  const profile = { description: '', fillRate: 1, distinct: rows, min: null, max: null, histogram: null, topValues: [], masked: false }
  const columns = [
    { ...profile, name: 'at', type: 'integer' as const },
    { ...profile, name: 'note', type: 'text' as const },
  ]
  return { id, rows, columns, originalBytes: rows * 50, originalFormat: 'csv' }
}

/** Another process with the same folder of data, which does the work with its own modules. It may have few files open. */
function elsewhere(version: WrittenVersion, work: string): ChildProcess {
  const script = `
    import { rm } from 'node:fs/promises'
    import { existsSync, openSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { readRows } from '#test/dataset-rows.ts'
    const version = ${JSON.stringify(version)}
    const stored = ${JSON.stringify(path.join(derived, `${version.id}-rows-3`))}
    ${work}`
  const child = spawn('sh', ['-c', 'ulimit -n 256 && exec "$0" "$@"', process.execPath, '--input-type=module', '--eval', script], {
    env: { ...process.env, DATA_DIR: env.DATA_DIR },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.push(child)
  return child
}

const pageFrom = async (version: WrittenVersion) => (await readRows(version, { filters: [] }, { limit: 250 })).rows.map(({ at }) => at)
const first = Array.from({ length: 250 }, (_, at) => at)

test('a process that is killed while it writes leaves nothing that is read, and the next one makes the file', async () => {
  const version = await keepVersion(200_000)
  const child = elsewhere(version, `await readRows(version, { filters: [] }, { limit: 1 })`)
  await eventually(() => expect(namesOf(version.id)).toEqual([expect.stringMatching(/-rows-3\./)]), { interval: 2 })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const [unfinished] = namesOf(version.id)
  expect([unfinished, await pageFrom(version)]).toEqual([expect.stringMatching(/-rows-3\./), first])
  await eventually(() => expect(namesOf(version.id)).toContain(`${version.id}-rows-3`))
  expect(await pageFrom(version)).toEqual(first)
})

test('two processes that make, delete and replace the same file each read the right rows', async () => {
  const version = await keepVersion(3000)
  const child = elsewhere(
    version,
    `for (let round = 0; round < 20; round += 1) {
      while (!existsSync(stored)) {
        const { rows } = await readRows(version, { filters: [] }, { limit: 250 })
        if (rows.some(({ at }, place) => at !== place)) process.exit(3)
      }
      await rm(stored)
    }
    process.exit(0)`,
  )
  const ended = once(child, 'exit')
  let pages = 0
  while (child.exitCode === null) {
    expect(await pageFrom(version)).toEqual(first)
    pages += 1
  }
  expect(await ended).toEqual([0, null])
  expect(pages).toBeGreaterThan(20)
})

test('a file of rows stays when the system has no file descriptor left to open it', async () => {
  const version = await keepVersion(3000)
  const child = elsewhere(
    version,
    `const page = () => readRows(version, { filters: [] }, { limit: 250 })
    await page()
    while (!existsSync(stored)) await sleep(10)
    await page()
    for (let isFull = false; !isFull; )
      try {
        openSync('/dev/null')
      } catch {
        isFull = true
      }
    await page().catch(() => undefined)
    process.exit(existsSync(stored) ? 0 : 3)`,
  )
  expect(await once(child, 'exit')).toEqual([0, null])
})
