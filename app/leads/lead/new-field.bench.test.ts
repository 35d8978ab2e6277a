import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { API } from 'typescript/unstable/sync'
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

const everyStep = Object.keys(steps).filter((name): name is Step => name in steps)

/** Takes these steps in the copy, and no other. */
function take(...taken: Step[]) {
  for (const { file } of Object.values(steps)) {
    if (file.startsWith('db/migrations/')) rmSync(path.join(copy, file), { force: true })
    else cpSync(file, path.join(copy, file))
  }
  for (const { file, after, line } of taken.map((step) => steps[step])) {
    const at = path.join(copy, file)
    const text = existsSync(at) ? readFileSync(at, 'utf8') : ''
    expect(text).toContain(after)
    writeFileSync(
      at,
      text.replace(after, () => `${after}\n  ${line}`),
    )
  }
}

const takeAllBut = (missing: Step) => take(...everyStep.filter((step) => step !== missing))

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
  'probe.ts',
]
// Someone who reads the fact of staff.
writeFileSync(
  path.join(copy, 'probe.ts'),
  `import { leadFacts } from '#app/leads/lead/lead-facts.ts'\nexport const { profile } = leadFacts\n`,
)
const settings = {
  extends: './tsconfig.json',
  compilerOptions: { incremental: false, tsBuildInfoFile: null },
  files: users,
  include: [],
}
const project = path.join(copy, 'users.json')
writeFileSync(project, JSON.stringify(settings))
const changing = [...new Set(Object.values(steps).map(({ file }) => path.join(copy, file)))].filter((file) => file.endsWith('.ts'))

// One program for all steps: after each, it reads only the changed files again, and checks what is asked for.
const compiler = new API({ cwd: copy })
afterAll(() => compiler.close())

/** Each line that does not compile: its file and its text. Of one file, or of all that use the fields. */
function linesInError(file?: string): string[] {
  const snapshot = compiler.updateSnapshot({ openProjects: [project], fileChanges: { changed: changing } })
  const program = snapshot.getProject(project)?.program
  if (!program) throw new Error('The program of the copy is not open.')
  const found = program.getSemanticDiagnostics(file && path.join(copy, file)).map(({ fileName = '', pos }) => {
    const text = readFileSync(fileName, 'utf8')
    const line = text.slice(text.lastIndexOf('\n', pos) + 1).split('\n')[0]
    return `${path.relative(copy, fileName)}: ${line?.trim()}`
  })
  snapshot.dispose()
  return found
}

/** The tests of the facts in the copy, or those of them with this name. */
function runFacts(...name: string[]) {
  const args = ['run', 'app/leads/lead/lead-facts.test.tsx', '--reporter', 'verbose', ...name.flatMap((words) => ['-t', words])]
  const { status, stdout, stderr } = spawnSync(path.resolve('node_modules/.bin/vitest'), args, { cwd: copy, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

const MINUTES = { timeout: 10 * 60_000 }

test(
  'with every step, a new field of the forms and a new fact of staff reach the record, the list, the files, the filter and the import',
  MINUTES,
  () => {
    take(...everyStep)
    expect(linesInError()).toEqual([])
    const { status, output } = runFacts()
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('with another budgetNote: it is refused') })
    expect(output).toContain(STAFF_FACT)
  },
)

const STAFF_FACT = 'what staff write as profile is in the record'

const notCompiling: [Step, string, string][] = [
  ['schema', 'app/leads/lead/lead-facts.ts', 'budgetNote: fact('],
  ['fact', 'app/leads/lead/lead-facts.ts', '} satisfies Record<EnquiryField'],
  ['column', 'app/leads/form/store-enquiry.server.ts', 'const added = await insertEnquiry(trx, row)'],
  ['staffFact', 'probe.ts', 'export const { profile } = leadFacts'],
  ['staffColumn', 'app/leads/record/lead-change.server.ts', ''],
]

test.each(notCompiling)('without the step %s alone, the product does not compile', MINUTES, (step, file, line) => {
  takeAllBut(step)
  expect(linesInError(file)).toEqual(expect.arrayContaining([expect.stringContaining(`${file}: ${line}`)]))
})

test.each([
  ['migration', 'every field of an enquiry reaches'],
  ['staffMigration', 'what staff write as phone'],
] as const)('without the step %s alone, a test fails', MINUTES, (step, name) => {
  takeAllBut(step)
  expect(runFacts(name).status).toBe(1)
})
