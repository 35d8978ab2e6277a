import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { keepFirst } from './keys.server.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a second secret for the same file does not replace the first, and only its owner can read it', () => {
  const file = path.join(folder, 'once.key')

  expect(keepFirst(file, 'first').toString()).toBe('first')
  expect(keepFirst(file, 'second').toString()).toBe('first')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['once.key'])
})

test('processes that start at the same moment have one key', async () => {
  const dataDir = path.join(folder, 'shared')
  const say = `import('${path.resolve('app/platform/guard/keys.server.ts')}').then(({ mac }) => process.stdout.write(mac('who', 'am I').toString('hex')))`
  const starts = Array.from({ length: 6 }, () =>
    promisify(execFile)(process.execPath, ['-e', say], { env: { ...process.env, DATA_DIR: dataDir } }),
  )

  const answers = (await Promise.all(starts)).map(({ stdout }) => stdout)
  expect(answers[0]).toMatch(/^[\da-f]{64}$/)
  expect(new Set(answers).size).toBe(1)
})
