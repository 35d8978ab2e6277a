import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { backUp } from '#app/ops/backup.server.ts'
import { operatorCommand, refuseArguments, runArguments } from '#app/ops/command-line.server.ts'
import type { BackupManifest } from '#app/ops/manifest.server.ts'
import { moveTo } from '#app/ops/move.server.ts'
import { type ProgressReport, showProgress } from '#app/ops/progress.server.ts'
import { behindSentence } from '#app/ops/invoice-numbers.server.ts'
import { restore } from '#app/ops/restore.server.ts'
import { sendAdminCommand } from '#app/ops/running.server.ts'
import { backUpTo, drill, withBackupFile } from '#app/ops/stored-backup.server.ts'
import { isOutage } from '#app/platform/database/database-error.ts'
import { forgetKeys, withDatabase } from '#app/platform/database/open.server.ts'
import { sendDatasetCommand } from '#app/datasets/import/operator.server.ts'
import { addPricedSample, addWholeYear, fillCatalog } from '#app/datasets/samples/sample-catalog.server.ts'
import { env, isHosted } from '#app/platform/env.server.ts'
import { sentenceOfDisk } from '#app/platform/http/lifecycle.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { countOf } from '#app/ui/amount.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { createPost } from '#app/blog/posts/post.server.ts'
import { makeServiceKey, rotateSigningKey } from '#app/auth/sessions/jwt.server.ts'
import { hasLeads, seed } from '#db/seed.ts'

/** Runs the work of a command with its progress, and prints the sentence that it returns. */
async function perform(work: (report: ProgressReport) => Promise<string>) {
  // Log lines of level info would break up the progress line.
  if (log.level === 'info') log.level = 'warn'
  // Standard output is for the result.
  const { report, end } = showProgress(process.stderr)
  process.stdout.write(`${await work(report).finally(end)}\n`)
}

const backup = operatorCommand({
  start: 'npm run backup --',
  about:
    'Backs up the whole installation to one verified file, or into a bucket, with the server running or stopped. FILE must not exist yet. With BACKUP_PASSPHRASE the backup is encrypted.',
  example: '/backups/winnow-2026-11-20.tar.gz',
})
  .argument('[FILE]', 'the file to write')
  .option('--to <URL>', 'the bucket and the prefix of the backup: s3://backups/winnow')
  .option('--keep <N>', 'then removes all but the newest N backups of this prefix', countOfBackups)
  .action((file: string | undefined, { to, keep }: { to?: string; keep?: number }) =>
    perform(async (report) => {
      const secure = env.BACKUP_PASSPHRASE ? '' : ' Store it securely: it contains the keys.'
      if (to === undefined) {
        if (keep !== undefined) return refuseArguments(backup, '--keep needs --to')
        const name = file ?? refuseArguments(backup, 'Name the FILE to write')
        return `Backed up ${contentOf(await backUp(name, report))} to ${name}.${secure}`
      }
      if (file !== undefined) return refuseArguments(backup, 'Name either a FILE or --to')
      const { manifest, url, removed } = await backUpTo(to, { keep, report })
      const retention = keep === undefined ? '' : ` Removed ${countOf(removed, 'older backup', 'older backups')}.`
      return `Backed up ${contentOf(manifest)} to ${url}.${retention}${secure}`
    }),
  )

function countOfBackups(keep: string): number {
  return /^[1-9]\d{0,4}$/.test(keep) ? Number(keep) : refuse('--keep must be a whole number from 1 to 99999, such as --keep 30.')
}

const SOURCE = 'a backup file or s3://BUCKET/KEY; a key that ends with a slash means the newest backup there'

const restoring = operatorCommand({
  start: 'npm run restore --',
  about: 'Replaces this installation with a backup. Stop the server first.',
  example: '/backups/winnow-2026-11-20.tar.gz --force',
})
  .argument('<FILE>', SOURCE)
  .option('--force', 'replaces existing data, which moves to DATA_DIR/replaced')
  .action((file: string, { force = false }: { force?: boolean }) =>
    perform(async (report) => {
      const before = force ? ' The previous data is in DATA_DIR/replaced.' : ''
      const manifest = await withBackupFile(file, report, (local) => restore(local, { force, report }))
      return `Restored ${contentOf(manifest)}.${before}${behindSentence(manifest.behind)}`
    }),
  )

const drilling = operatorCommand({
  start: 'npm run drill --',
  about:
    'Restores a backup into a database that is deleted afterwards, and compares every row and file. This installation does not change.',
  example: 's3://backups/winnow/',
})
  .argument('<FILE>', SOURCE)
  .action((file: string) =>
    perform(async (report) => {
      if (!file.startsWith('s3:') && !existsSync(file)) return refuse(`There is no file ${file}: check the name.`)
      const begun = performance.now()
      const manifest = await withBackupFile(file, report, (local) => drill(local, report))
      const seconds = countOf(Math.ceil((performance.now() - begun) / 1000), 'second', 'seconds')
      return `The backup of ${manifest.createdAt} can be restored: ${contentOf(manifest)} are the same, and its keys open. It took ${seconds}.`
    }),
  )

const move = operatorCommand({
  start: 'npm run move --',
  about: 'Copies the database to a PostgreSQL server and compares every row. This installation does not change.',
  example: '--to postgres://winnow:secret@127.0.0.1:5432/winnow',
})
  .requiredOption('--to <URL>', 'the target database: postgres://user:password@host:5432/name')
  .option('--force', 'replaces the data of the target database')
  .action(({ to, force = false }: { to: string; force?: boolean }) =>
    perform(async (report) => `Copied ${contentOf(await moveTo(to, { force, report }))}. Now set DATABASE_URL to this URL and start.`),
  )

const serviceKey = operatorCommand({
  start: 'node scripts/run.mjs command service-key',
  about: 'Prints a key that lets a program administer accounts.',
  example: '--days 90',
})
  .option('--days <N>', 'days until the key expires, from 1 to 9999', countOfDays, 365)
  .action(({ days }: { days: number }) =>
    perform(async (report) => {
      if (isHosted) return refuse('The service at SUPABASE_URL holds the accounts. Use its own secret key.')
      return inServer('service-key', days, report)
    }),
  )

function countOfDays(days: string): number {
  return /^[1-9]\d{0,3}$/.test(days) ? Number(days) : refuse('--days must be a whole number from 1 to 9999, such as --days 365.')
}

const dataset = operatorCommand({
  start: 'npm run dataset --',
  about: 'Adds a file as the next version of a dataset, or lists the products, with the server running or stopped.',
  example: 'add prices.csv --product daily-shop-prices --publish',
}).action(() => refuseArguments(dataset, 'Use add or list'))

dataset
  .command('add')
  .description('adds a file as the next version of a dataset')
  .argument('<FILE>', 'the file to add')
  .requiredOption('--product <SLUG>', 'the product that gets the version')
  .option('--changes <TEXT>', 'describes the version to customers', '')
  .option('--publish', 'publishes the version after the import, unless a quality check holds it')
  .action((file: string, { publish = false, ...given }: { product: string; changes: string; publish?: boolean }) =>
    perform((report) => sendDatasetCommand({ verb: 'add', file: path.resolve(file), publish, ...given }, report)),
  )

dataset
  .command('list')
  .description('lists the products')
  .action(() => perform((report) => sendDatasetCommand({ verb: 'list' }, report)))

const rotateKey = operatorCommand({
  start: 'node scripts/run.mjs command rotate-key',
  about: 'Replaces the key that signs access tokens. Run it twice: the first run announces the next key.',
  example: '',
})
  .option('--force', 'voids a leaked key immediately')
  .action(({ force = false }: { force?: boolean }) => perform((report) => inServer('rotate-key', force, report)))

const newKeys = operatorCommand({
  start: 'node scripts/run.mjs command new-keys',
  about:
    'Creates new keys when MASTER_KEY or the key file is lost. Everyone signs in again; second factors, waiting emails and calendar addresses must be set up again.',
  example: '--force',
})
  .option('--force', 'confirms that the old keys are lost')
  .action(({ force = false }: { force?: boolean }) =>
    perform(async () => {
      if (!force) return refuseArguments(newKeys, 'Confirm with --force that the old keys are lost')
      await forgetKeys()
      return 'The old keys are gone. The next start creates new ones.'
    }),
  )

/** Commands that need the keys. The embedded database belongs to the server while it runs, so the server runs them. */
export const keyCommands = {
  'rotate-key': (isLeaked: unknown) => rotateSigningKey({ isLeaked: z.boolean().parse(isLeaked) }),
  'service-key': (days: unknown) => makeServiceKey(z.int().parse(days)),
}

async function inServer(name: 'rotate-key' | 'service-key', order: boolean | number, report: ProgressReport): Promise<string> {
  const said = env.DATABASE_URL ? undefined : await sendAdminCommand(path.resolve(env.DATA_DIR), name, order, report)
  return said ?? withDatabase(async () => keyCommands[name](order))
}

const seeding = operatorCommand({
  start: 'npm run seed --',
  about: 'Adds sample leads, consultations, posts and datasets. Stop the server first.',
  example: '--force',
})
  .option('--force', 'adds them to an installation that already has leads')
  .action(({ force = false }: { force?: boolean }) =>
    perform(async (report) => {
      report({ phase: 'Opening the database' })
      return withDatabase(async () => {
        if (!force && (await hasLeads())) return refuse('This installation already has leads. Use --force to add sample leads to them.')
        return addSamples(report)
      })
    }),
  )

const commands: Record<string, Command> = {
  backup,
  restore: restoring,
  drill: drilling,
  move,
  'service-key': serviceKey,
  dataset,
  'rotate-key': rotateKey,
  'new-keys': newKeys,
  seed: seeding,
}

/** Runs one command and returns its exit code. A failure is one sentence for the operator. */
export async function runCommand([name = '', ...args]: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return refuse(`Unknown command ${name}. Use one of ${Object.keys(commands).join(', ')}.`)
  try {
    await runArguments(command, args)
    return 0
  } catch (error) {
    throw explainFailure(error, name)
  }
}

/** A server that cannot be reached, a wrong user or password, or a missing database. */
const NO_DATABASE = /^(28...|3D000)$/

function explainFailure(error: unknown, name: string): OperatorError {
  if (error instanceof OperatorError) return error
  if (error instanceof Stop) return new OperatorError(error.data)
  log.debug({ err: error }, 'a command failed')
  const fullDisk = sentenceOfDisk(error)
  if (fullDisk) return new OperatorError(fullDisk)
  const code = propertyOf(error, 'code')
  if ((env.DATABASE_URL || name === 'move') && (isOutage(error) || NO_DATABASE.test(code))) {
    const setting = name === 'move' ? '--to or DATABASE_URL' : 'DATABASE_URL'
    return new OperatorError(
      `The database that ${setting} names cannot be reached (${code || 'no answer'}): check its address, name, user and password.`,
    )
  }
  const reason = propertyOf(error, 'message') || String(error)
  return new OperatorError(`${name} failed (${reason}): set LOG_LEVEL=debug and run it again for the details.`)
}

async function addSamples(report: ProgressReport): Promise<string> {
  const { leads, consultations, posts } = await seed(createPost, new Date(), report)
  await fillCatalog({ report })
  await addPricedSample()
  const rows = countOf(await addWholeYear(report), 'row', 'rows')
  return `Added ${leads} leads, ${consultations} consultations, ${posts} posts and ${rows} of shop prices. The leads have .example addresses, so no email can be delivered.`
}

function contentOf({ tables, entries }: BackupManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const files = entries.filter(({ name }) => !name.startsWith('tables/')).length
  return `${countOf(rows, 'row', 'rows')} of ${tables.length} tables and ${countOf(files, 'file', 'files')}`
}

function refuse(sentence: string): never {
  throw new OperatorError(sentence)
}
