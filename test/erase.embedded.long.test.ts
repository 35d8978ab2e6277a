import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { openEmbedded } from '#app/platform/database/embedded.server.ts'
import { erasureBlock, erasureOf } from './erase.ts'
import { copyTemplate } from './template.ts'

test('the documented command erases a person from an embedded database that is closed', async () => {
  const folder = copyTemplate(inject('template'))
  const work = mkdtempSync(path.join(tmpdir(), 'winnow-erase-'))
  await run(folder, (database) =>
    database.exec(
      `INSERT INTO people (id, email, name) VALUES (gen_random_uuid(), 'ada@analytical.example', 'Ada'), (gen_random_uuid(), 'bob@analytical.example', 'Bob')`,
    ),
  )
  for (const name of ['app', 'db', 'node_modules', 'package.json']) symlinkSync(path.resolve(name), path.join(work, name))
  writeFileSync(path.join(work, 'erase.sql'), erasureOf('ada@analytical.example'))

  execFileSync('sh', ['-c', erasureBlock('sh')], { cwd: work, env: { ...process.env, DATA_DIR: folder } })

  const people = await run(folder, (database) => database.query('SELECT name FROM people'))
  expect(people.rows).toEqual([{ name: 'Bob' }])
  for (const made of [folder, work]) rmSync(made, { recursive: true, force: true })
})

async function run<T>(folder: string, work: (database: Awaited<ReturnType<typeof openEmbedded>>) => Promise<T>): Promise<T> {
  const database = await openEmbedded(folder)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
