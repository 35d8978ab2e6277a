import path from 'node:path'
import { parseArgs } from 'node:util'
import { backUp } from '#app/backup/backup.server.ts'
import type { Manifest } from '#app/backup/manifest.server.ts'
import { moveTo } from '#app/backup/move.server.ts'
import { restore } from '#app/backup/restore.server.ts'
import { closeDatabase, openDatabase } from '#app/database/open.server.ts'
import { runDatasetOrder } from '#app/dataset-intake/operator.server.ts'
import { addWholeYear, fillShelf } from '#app/first-datasets/first-shelf.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { createPost } from '#app/posts/post-write.server.ts'
import { makeServiceKey } from '#app/session/admin-token.server.ts'
import { rotateKey } from '#app/session/key-file.server.ts'
import { hasLeads, seed } from '#db/seed.ts'

type Given = {
  file: string | undefined
  to: string | undefined
  force: boolean
  days: string
  /** What follows the command. */
  words: string[]
  product: string | undefined
  changes: string
  publish: boolean
}

/** What the person who runs the product can ask for. Each answers a sentence. */
const commands: Record<string, (given: Given) => Promise<string>> = {
  async backup({ file }) {
    const name = file ?? missing('backup FILE')
    return `${name} holds ${contentOf(await backUp(name))}. Keep it as safe as the installation itself: the keys are in it.`
  },
  async restore({ file, force }) {
    const name = file ?? missing('restore FILE [--force]')
    const before = force ? ' What was there before lies in the folder replaced of DATA_DIR.' : ''
    return `Restored ${contentOf(await restore(name, { force, report }))}.${before}`
  },
  async move({ to, force }) {
    const url = to ?? missing('move --to postgres://user:password@host:5432/winnow [--force]')
    return `Copied ${contentOf(await moveTo(url, { force, report }))}. Now start with DATABASE_URL set to this address.`
  },
  async 'service-key'({ days }) {
    if (isHosted) return refuse('Accounts are kept by the service at SUPABASE_URL: its own secret key administers them.')
    const count = /^[1-9]\d{0,3}$/.test(days) ? Number(days) : refuse('--days must be a whole number from 1 to 9999, such as --days 365.')
    return makeServiceKey(count)
  },
  async dataset({ words: [verb, file], product, changes, publish }) {
    if (verb === 'list') return runDatasetOrder({ verb })
    if (verb !== 'add' || !file || !product) {
      return refuse('Say it like this: npm run dataset -- add FILE --product SLUG [--changes TEXT] [--publish], or npm run dataset -- list')
    }
    return runDatasetOrder({ verb, file: path.resolve(file), product, changes, publish })
  },
  'rotate-key': ({ force }) => rotateKey({ isLeaked: force }),
  async seed({ force }) {
    await openDatabase()
    try {
      if (!force && (await hasLeads())) return refuse('There are leads already. Use --force to add invented ones to them.')
      const { leads, consultations, posts } = await seed(createPost)
      await fillShelf()
      const rows = (await addWholeYear()).toLocaleString('en')
      return `Made up ${leads} leads, ${consultations} consultations, ${posts} posts and ${rows} rows of shop prices. The leads have addresses that end in .example, so no letter can reach anyone.`
    } finally {
      await closeDatabase()
    }
  },
}

/** Runs one command and answers the exit code. */
export async function runCommand([name = '', ...args]: string[]): Promise<number> {
  const command = commands[name] ?? refuse(`There is no command ${name}: choose one of ${Object.keys(commands).join(', ')}.`)
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
    return refuse(error instanceof Error ? error.message : 'These arguments are not understood.')
  }
}

/** The result alone goes to standard output. */
function report(line: string) {
  process.stderr.write(`${line}\n`)
}

function contentOf({ tables, entries }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const files = entries.filter(({ name }) => !name.startsWith('tables/')).length
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} of ${tables.length} tables and ${files} ${files === 1 ? 'file' : 'files'}`
}

function missing(usage: string): never {
  return refuse(`Say it like this: npm run ${usage.replace(' ', ' -- ')}`)
}

function refuse(sentence: string): never {
  throw new OperatorError(sentence)
}
