import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { byLength } from '#test/length.ts'
import { startPostgres } from '#test/postgres.ts'
import { bareTest, expect, test } from './fixtures.ts'
import { productStart, runCommand, startServer } from './server.ts'
import { enterAsOwner, olive, sendEnquiry, signIn, signInAsOwner } from './steps.ts'

const run = promisify(execFile)

const command = (dataDir: string, ...args: string[]) => runCommand({ DATA_DIR: dataDir }, ...args)

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

  for (const after of byLength([600, 2000], [150, 600, 1200, 2000, 3000])) {
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
  await signInAsOwner(page)
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

bareTest('on a terminal a command shows its progress in one line; elsewhere it prints a line per phase', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-operator-'))
  cpSync(process.env.E2E_OWNED_TEMPLATE ?? '', dataDir, { recursive: true })
  const [file, other] = [path.join(dataDir, 'one.tar.gz'), path.join(dataDir, 'two.tar.gz')]
  const { args, env } = productStart({ DATA_DIR: dataDir }, ['backup', file])
  const { stdout: terminal } = await run('script', ['-qec', [process.execPath, ...args].join(' '), '/dev/null'], { env })
  const [shown = '', result = ''] = terminal.split(/(?=Backed up)/)
  const lines = shown.split('\r\u001B[2K')
  expect(lines).toContainEqual(expect.stringMatching(/^Reading the database: 0 %, 0 of \d+ rows/))
  expect(lines).toContainEqual(expect.stringMatching(/^Verifying the archive: \d+ %, [\d.]+ MB of [\d.]+ MB/))
  expect(shown).not.toContain('\n')
  expect(result).toMatch(/^Backed up \d+ rows/)

  const { stderr } = await command(dataDir, 'backup', other)
  expect(stderr.split('\n')).toEqual([
    'Opening the database …',
    'Reading the database …',
    'Reading files …',
    'Writing the archive …',
    'Verifying the archive …',
    '',
  ])
  rmSync(dataDir, { recursive: true })
})

bareTest('help opens no database, and a wrong argument is one sentence', async () => {
  const elsewhere = path.join(tmpdir(), `winnow-operator-none-${process.pid}`)
  for (const name of ['backup', 'restore', 'move', 'dataset', 'seed']) {
    const { stdout, stderr } = await command(elsewhere, name, '--help')
    expect(stdout).toMatch(new RegExp(`^Usage: npm run ${name} -- [^]+\nOptions:\n[^]+\nExample:\n`))
    expect(stderr).toBe('')
  }
  await expect(command(elsewhere, 'backup', '--fast')).rejects.toMatchObject({
    code: 1,
    stderr: 'Unknown option --fast: npm run backup -- --help shows how to use this command.\n',
  })
  await expect(command(elsewhere, 'move', '--to', 'postgres://one@127.0.0.1:9/two')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The database that --to or DATABASE_URL names cannot be reached \(ECONNREFUSED\)[^\n]+\n$/),
  })
  expect(existsSync(path.join(elsewhere, 'pg18'))).toBe(false)
})

async function countRows(dataDir: string, table: string): Promise<number | undefined> {
  const file = path.join(dataDir, 'count.tar.gz')
  await command(dataDir, 'backup', file)
  expect(existsSync(path.join(dataDir, 'restored'))).toBe(false)
  const { stdout } = await run('tar', ['-xOzf', file, `tables/${table}.jsonl`])
  return stdout.split('\n').filter(Boolean).length
}
