import path from 'node:path'
import { parseArgs } from 'node:util'
import { backUp } from '#app/ops/backup.server.ts'
import type { BackupManifest } from '#app/ops/manifest.server.ts'
import { moveTo } from '#app/ops/move.server.ts'
import { restore } from '#app/ops/restore.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { sendDatasetCommand } from '#app/datasets/import/operator.server.ts'
import { addWholeYear, fillCatalog } from '#app/datasets/samples/sample-catalog.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { createPost } from '#app/blog/posts/post.server.ts'
import { makeServiceKey } from '#app/auth/sessions/admin-token.server.ts'
import { rotateSigningKey } from '#app/auth/sessions/key-file.server.ts'
import { hasLeads, seed } from '#db/seed.ts'

type Given = {
  file: string | undefined
  to: string | undefined
  force: boolean
  days: string
  /** Arguments after the command. */
  words: string[]
  product: string | undefined
  changes: string
  publish: boolean
}

/** Commands of the operator. Each returns a sentence. */
const commands: Record<string, (given: Given) => Promise<string>> = {
  async backup({ file }) {
    const name = file ?? missing('backup FILE')
    return `Backed up ${contentOf(await backUp(name))} to ${name}. Store it securely: it contains the keys.`
  },
  async restore({ file, force }) {
    const name = file ?? missing('restore FILE [--force]')
    const before = force ? ' The previous data is in DATA_DIR/replaced.' : ''
    return `Restored ${contentOf(await restore(name, { force, report }))}.${before}`
  },
  async move({ to, force }) {
    const url = to ?? missing('move --to postgres://user:password@host:5432/winnow [--force]')
    return `Copied ${contentOf(await moveTo(url, { force, report }))}. Now set DATABASE_URL to this URL and start.`
  },
  async 'service-key'({ days }) {
    if (isHosted) return refuse('The service at SUPABASE_URL holds the accounts. Use its own secret key.')
    const count = /^[1-9]\d{0,3}$/.test(days) ? Number(days) : refuse('--days must be a whole number from 1 to 9999, such as --days 365.')
    return makeServiceKey(count)
  },
  async dataset({ words: [verb, file], product, changes, publish }) {
    if (verb === 'list') return sendDatasetCommand({ verb })
    if (verb !== 'add' || !file || !product) {
      return refuse('Usage: npm run dataset -- add FILE --product SLUG [--changes TEXT] [--publish], or npm run dataset -- list')
    }
    return sendDatasetCommand({ verb, file: path.resolve(file), product, changes, publish })
  },
  'rotate-key': ({ force }) => rotateSigningKey({ isLeaked: force }),
  async seed({ force }) {
    await openDatabase()
    try {
      if (!force && (await hasLeads())) return refuse('This installation already has leads. Use --force to add sample leads to them.')
      const { leads, consultations, posts } = await seed(createPost)
      await fillCatalog()
      const rows = (await addWholeYear()).toLocaleString('en')
      return `Added ${leads} leads, ${consultations} consultations, ${posts} posts and ${rows} rows of shop prices. The leads have .example addresses, so no email can be delivered.`
    } finally {
      await closeDatabase()
    }
  },
}

/** Runs one command and returns its exit code. */
export async function runCommand([name = '', ...args]: string[]): Promise<number> {
  const command = commands[name] ?? refuse(`Unknown command ${name}. Use one of ${Object.keys(commands).join(', ')}.`)
  const { values, positionals } = readArguments(args)
  process.stdout.write(
    `${await command({ ...values, to: values.to, product: values.product, file: positionals[0], words: positionals })}\n`,
  )
  return 0
}

function readArguments(args: string[]) {
  try {
    const options = {
      to: { type: 'string' },
      force: { type: 'boolean', default: false },
      days: { type: 'string', default: '365' },
      product: { type: 'string' },
      changes: { type: 'string', default: '' },
      publish: { type: 'boolean', default: false },
    } as const
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    return refuse(error instanceof Error ? error.message : 'Invalid arguments.')
  }
}

/** Progress goes to standard error, because standard output is for the result. */
function report(line: string) {
  process.stderr.write(`${line}\n`)
}

function contentOf({ tables, entries }: BackupManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const files = entries.filter(({ name }) => !name.startsWith('tables/')).length
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} of ${tables.length} tables and ${files} ${files === 1 ? 'file' : 'files'}`
}

function missing(usage: string): never {
  return refuse(`Usage: npm run ${usage.replace(' ', ' -- ')}`)
}

function refuse(sentence: string): never {
  throw new OperatorError(sentence)
}
