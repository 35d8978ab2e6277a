import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { atLength } from '#test/length.ts'
import { startPostgres } from '#test/postgres.ts'
import { startS3Server } from '#test/s3-server.ts'
import { bareTest, expect, test } from './fixtures.ts'
import { productStart, runCommand, startServer } from './server.ts'
import { postEnquiry, signInAsOwner } from './steps.ts'

const run = promisify(execFile)

const command = (dataDir: string, ...args: string[]) => runCommand({ DATA_DIR: dataDir }, ...args)

test.use({ owned: true })
test.slow()

test('an encrypted backup of the running site in a bucket becomes the same site elsewhere, which moves to PostgreSQL', async ({
  page,
  browser,
  site,
}) => {
  await postEnquiry(page)
  const service = await startS3Server()
  const bucket = {
    BACKUP_S3_ENDPOINT: service.endpoint,
    BACKUP_S3_REGION: 'eu-central-1',
    BACKUP_S3_ACCESS_KEY_ID: service.keyId,
    BACKUP_S3_SECRET_ACCESS_KEY: 'a-secret-of-the-service',
    BACKUP_PASSPHRASE: 'correct horse battery staple',
  }
  service.objects.set('/backups/site/winnow-2026-01-01T00-00-00-000Z.tar.gz', Buffer.from('an older one'))
  service.objects.set('/backups/site/notes.txt', Buffer.from('the object of another program'))
  const { stdout } = await runCommand({ DATA_DIR: site.dataDir, ...bucket }, 'backup', '--to', 's3://backups/site', '--keep', '1')
  expect(stdout).toMatch(/^Backed up \d+ rows of \d+ tables and \d+ files? to s3:\/\/\S+\.tar\.gz\.age\. Removed 1 older backup\.\n$/)
  expect([...service.objects.keys()]).toEqual(['/backups/site/notes.txt', expect.stringMatching(/\.tar\.gz\.age$/)])

  const elsewhere = `${site.dataDir}-elsewhere`
  const signInElsewhere = async (settings: Record<string, string> = {}) => {
    const other = await startServer({ DATA_DIR: elsewhere, ...settings })
    const desk = await browser.newPage({ baseURL: other.url })
    await signInAsOwner(desk)
    await desk.goto('/dashboard')
    await expect(desk.getByRole('row').filter({ hasText: 'Ada Lovelace' }).first()).toBeVisible()
    await other.stop()
  }
  await runCommand({ DATA_DIR: elsewhere, ...bucket }, 'restore', 's3://backups/site/')
  await service.close()
  await signInElsewhere()

  const postgres = await startPostgres()
  try {
    const moved = await command(elsewhere, 'move', '--to', postgres.url)
    expect(moved.stdout).toContain('Now set DATABASE_URL to this URL and start.')
    await signInElsewhere({ DATABASE_URL: postgres.url })
    await expect(command(elsewhere, 'move', '--to', postgres.url)).rejects.toMatchObject({
      stderr: expect.stringContaining('There is something in this installation'),
    })
  } finally {
    postgres.stop()
    rmSync(elsewhere, { recursive: true })
  }
})

test('a restore that is killed at any moment leaves the old site or the new one, whole', atLength, async ({ page, site }) => {
  await postEnquiry(page)
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

bareTest('on a terminal a command shows its progress in one line; elsewhere it prints a line per phase', atLength, async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-operator-'))
  cpSync(process.env.E2E_OWNED_TEMPLATE ?? '', dataDir, { recursive: true })
  const [file, other] = [path.join(dataDir, 'one.tar.gz'), path.join(dataDir, 'two.tar.gz')]
  const { args, env } = productStart({ DATA_DIR: dataDir }, ['backup', file])
  const { stdout: terminal } = await run('script', ['-qec', [process.execPath, ...args].join(' '), '/dev/null'], { env })
  const [shown = '', result = ''] = terminal.split(/(?=Backed up)/)
  const lines = shown.split('\r\u001B[2K')
  expect(lines).toContainEqual(expect.stringMatching(/^Reading the database: 0%, 0 of \d+ rows/))
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
