import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

/** The steps for a new field of all forms: each file, and the line that is inserted after another. With the form's input, they are 5 files. */
const steps = {
  schema: { file: 'app/leads/lead/contact.ts', after: 'const extras = {', line: `budgetNote: z.nullish(z.string('x')),` },
  label: {
    file: 'app/leads/lead/lead-fields.ts',
    after: `timeframe: { label: 'Timeframe', csvHead: null, options: timeframes },`,
    line: `budgetNote: { label: 'Note on the budget', csvHead: 'Budget Note' },`,
  },
  stored: {
    file: 'app/leads/lead/lead-fields.ts',
    after: 'timeframe: z.nullable(z.string()),',
    line: 'budgetNote: z.nullable(z.string()),',
  },
  column: { file: 'db/tables.ts', after: 'type Contacts = {', line: 'budgetNote: string | null' },
  migration: { file: 'db/migrations/9999-note.sql', after: '', line: 'ALTER TABLE contacts ADD COLUMN budget_note text;' },
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
    if (file === steps.migration.file) rmSync(path.join(copy, file), { force: true })
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
  'app/leads/record/contact-panel.tsx',
  'app/leads/list/lead-export.server.ts',
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

test('a new field of the forms without a label, a stored form or a column does not compile', MINUTES, () => {
  take('schema')
  expect(linesInError()).toEqual(
    expect.arrayContaining([
      expect.stringContaining('app/leads/lead/lead-fields.ts: export const leadFields'),
      expect.stringContaining('app/leads/lead/lead-fields.ts: } satisfies Record<EnquiryField'),
      expect.stringContaining('app/leads/form/store-enquiry.server.ts: const added = await insertEnquiry(trx, row)'),
    ]),
  )
})

test('with them, a new field reaches staff, the CSV file and the person’s own data', MINUTES, () => {
  take('schema', 'label', 'stored', 'column', 'migration')
  expect(linesInError()).toEqual([])
  const { status, output } = run('vitest', 'run', 'app/leads/lead/lead-fields.test.tsx', '--reporter', 'verbose')
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('with another budgetNote: it is refused') })
})
