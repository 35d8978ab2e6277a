import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

/** The steps for a new field of all forms: each file, and the line that is inserted after another. With the form's input, they are 5 files. */
const steps = {
  schema: { file: 'app/leads/lead/contact.ts', after: 'const extras = {', line: `budgetNote: z.nullish(z.string('x')),` },
  fact: {
    file: 'app/leads/lead/lead-facts.ts',
    after: `timeframe: fact({ label: 'Timeframe', kind: 'choice', stored: perhapsAsked, options: timeframes }),`,
    line: `budgetNote: fact({ label: 'Note on the budget', kind: 'text', stored: perhapsAsked, csvHead: 'Budget Note' }),`,
  },
  column: { file: 'db/tables.ts', after: 'type Contacts = {', line: 'budgetNote: string | null' },
  migration: { file: 'db/migrations/9999-note.sql', after: '', line: 'ALTER TABLE contacts ADD COLUMN budget_note text;' },
  // A fact that staff add, in 3 files.
  staffFact: {
    file: 'app/leads/lead/lead-facts.ts',
    after: 'export const staffFacts = {',
    line: `profile: fact({ label: 'Profile', ...text('The profile', 200), filter: { key: 'profile', match: 'part' }, import: 'profile' }),`,
  },
  staffColumn: { file: 'db/tables.ts', after: 'type Leads = {', line: 'profile: string | null' },
  staffMigration: { file: 'db/migrations/9998-profile.sql', after: '', line: 'ALTER TABLE leads ADD COLUMN profile text;' },
}

type Step = keyof typeof steps

const copy = mkdtempSync(path.join(tmpdir(), 'winnow-new-field-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

for (const part of [
  'app',
  'db',
  'test',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
  'vitest.config.ts',
]) {
  cpSync(part, path.join(copy, part), { recursive: true })
}
linkModules()

/** Without the cache, so the copy leaves no trace in it. */
function linkModules() {
  mkdirSync(path.join(copy, 'node_modules'))
  for (const name of readdirSync('node_modules').filter((entry) => entry !== '.cache')) {
    symlinkSync(path.resolve('node_modules', name), path.join(copy, 'node_modules', name))
  }
}

/** Takes these steps in the copy, and no other. */
function take(...taken: Step[]) {
  for (const { file } of Object.values(steps)) {
    if (file.startsWith('db/migrations/')) rmSync(path.join(copy, file), { force: true })
    else cpSync(file, path.join(copy, file))
  }
  for (const { file, after, line } of taken.map((step) => steps[step])) {
    const text = after && readFileSync(path.join(copy, file), 'utf8')
    expect(text).toContain(after)
    writeFileSync(
      path.join(copy, file),
      text.replace(after, () => `${after}\n  ${line}`),
    )
  }
}

function run(command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(path.resolve('node_modules/.bin', command), args, { cwd: copy, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

/** Every file that reads or writes the fields of an enquiry, and with it whatever it imports. */
const users = [
  'app/leads/form/contact.api.ts',
  'app/leads/form/enquiry-form.server.ts',
  'app/leads/record/fact-list.tsx',
  'app/leads/record/timeline.api.ts',
  'app/leads/list/desk.api.ts',
  'app/leads/list/lead-desk.tsx',
  'app/leads/import/lead-import.api.ts',
  'app/leads/figures/lead.api.ts',
  'app/datasets/access/product-request.server.ts',
  'test/dashboard.tsx',
]
const settings = {
  extends: './tsconfig.json',
  compilerOptions: { incremental: false, tsBuildInfoFile: null, pretty: false },
  files: users,
  include: [],
}
writeFileSync(path.join(copy, 'users.json'), JSON.stringify(settings))

/** Each line that does not compile: its file and its text. */
function linesInError(): string[] {
  const { output } = run('tsc', '-p', 'users.json')
  return Array.from(output.matchAll(/^(\S+)\((\d+),\d+\): error/gm), ([, file = '', line]) => {
    const text = readFileSync(path.join(copy, file), 'utf8').split('\n')[Number(line) - 1]
    return `${file}: ${text?.trim()}`
  })
}

const MINUTES = { timeout: 10 * 60_000 }

test('a new field of the forms without a declaration or a column does not compile', MINUTES, () => {
  take('schema')
  expect(linesInError()).toEqual(
    expect.arrayContaining([
      expect.stringContaining('app/leads/lead/lead-facts.ts: } satisfies Record<EnquiryField'),
      expect.stringContaining('app/leads/form/store-enquiry.server.ts: const added = await insertEnquiry(trx, row)'),
    ]),
  )
})

const runFacts = () => run('vitest', 'run', 'app/leads/lead/lead-facts.test.tsx', '--reporter', 'verbose')

test('with them, a new field reaches staff, the CSV file and the person’s own data', MINUTES, () => {
  take('schema', 'fact', 'column', 'migration')
  expect(linesInError()).toEqual([])
  const { status, output } = runFacts()
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('with another budgetNote: it is refused') })
})

test('a new fact of staff without a column does not compile, and without the column of the database no lead can be read', MINUTES, () => {
  take('staffFact')
  expect(linesInError()).toEqual(expect.arrayContaining([expect.stringContaining('app/leads/record/lead-change.server.ts: ')]))
  take('staffFact', 'staffColumn')
  expect(runFacts().status).toBe(1)
})

test('one declaration brings it to the record, the list, the file, the filter and the import', MINUTES, () => {
  take('staffFact', 'staffColumn', 'staffMigration')
  expect(linesInError()).toEqual([])
  const { status, output } = runFacts()
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('what staff write as profile is in the record') })
})
