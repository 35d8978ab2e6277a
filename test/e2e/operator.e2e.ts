import { execFile } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startPostgres } from '#test/postgres.ts'
import { expect, test } from './fixtures.ts'
import { startServer } from './server.ts'
import { enterAsOwner, olive, sendEnquiry, signIn } from './steps.ts'

const run = promisify(execFile)

/** Runs a command of the built product, as `npm run …` does. */
function command(dataDir: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, NODE_ENV: 'production' }
  return run(process.execPath, ['build/server/index.js', ...args], { env })
}

test.use({ owned: true })
test.slow()

test('a backup of the running site becomes the same site elsewhere: leads, emails, accounts', async ({ page, browser, site }) => {
  await enterAsOwner(page)
  await sendEnquiry(page)
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText('Message Sent Successfully!')).toBeVisible()
  const file = path.join(site.dataDir, 'site.tar.gz')
  const { stdout } = await command(site.dataDir, 'backup', file)
  expect(stdout).toMatch(/Backed up \d+ rows of \d+ tables and \d+ files? to .*\. Store it securely/)

  const elsewhere = `${site.dataDir}-elsewhere`
  await command(elsewhere, 'restore', file)
  const other = await startServer({ DATA_DIR: elsewhere })
  const desk = await browser.newPage({ baseURL: other.url })
  await signIn(desk, olive)
  await expect(desk.getByRole('row').filter({ hasText: 'Ada Lovelace' }).first()).toBeVisible()
  await other.stop()

  await expect(command(elsewhere, 'restore', file)).rejects.toMatchObject({ stderr: expect.stringContaining('Use --force to replace it.') })
  rmSync(elsewhere, { recursive: true })
})

test('a restore that is killed at any moment leaves the old site or the new one, whole', async ({ page, site }) => {
  await sendEnquiry(page)
  await expect(page.getByText('Message Sent Successfully!').first()).toBeVisible()
  const file = path.join(site.dataDir, 'site.tar.gz')
  await command(site.dataDir, 'backup', file)
  await site.stop()

  for (const after of [150, 600, 1200, 2000, 3000]) {
    const dataDir = `${site.dataDir}-${after}`
    cpSync(site.dataDir, dataDir, { recursive: true })
    const restoring = command(dataDir, 'restore', file, '--force')
    await pause(after)
    restoring.child.kill('SIGKILL')
    await restoring.catch(() => undefined)
    const people = await countRows(dataDir, 'people')
    expect(people).toBe(1)
    rmSync(dataDir, { recursive: true })
  }
})

test('the site moves to PostgreSQL with every row', async ({ page, browser, site }) => {
  await enterAsOwner(page)
  const postgres = await startPostgres()
  try {
    const { stdout } = await command(site.dataDir, 'move', '--to', postgres.url)
    expect(stdout).toContain('Now set DATABASE_URL to this URL and start.')
    const moved = await startServer({ DATA_DIR: site.dataDir, DATABASE_URL: postgres.url })
    const desk = await browser.newPage({ baseURL: moved.url })
    await signIn(desk, olive)
    await expect(desk.getByRole('heading', { name: 'Sales Dashboard' })).toBeVisible()
    await moved.stop()
    await expect(command(site.dataDir, 'move', '--to', postgres.url)).rejects.toMatchObject({
      stderr: expect.stringContaining('There is something in this installation'),
    })
  } finally {
    postgres.stop()
  }
})

async function countRows(dataDir: string, table: string): Promise<number | undefined> {
  const file = path.join(dataDir, 'count.tar.gz')
  await command(dataDir, 'backup', file)
  expect(existsSync(path.join(dataDir, 'restored'))).toBe(false)
  const { stdout } = await run('tar', ['-xOzf', file, `tables/${table}.jsonl`])
  return stdout.split('\n').filter(Boolean).length
}
