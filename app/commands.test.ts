import { expect, test, vi } from 'vitest'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { runCommand } from './commands.server.ts'

async function print(...args: string[]): Promise<{ text: string; code: number }> {
  const written: string[] = []
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  try {
    const code = await runCommand(args)
    return { text: written.join(''), code }
  } finally {
    spy.mockRestore()
  }
}

test.each(['backup', 'restore', 'drill', 'new-keys', 'move', 'dataset', 'seed', 'service-key', 'rotate-key'])(
  '%s --help says how to use it',
  async (name) => {
    const { text, code } = await print(name, '--help')
    expect(code).toBe(0)
    expect(text).toMatch(new RegExp(`^Usage: .*${name}`))
    expect(text).toContain('Options:\n')
    expect(text).toContain('  -h, --help')
    expect(text).toMatch(new RegExp(`\\nExample:\\n  .*${name}.*\\n$`))
    expect(await print(name, '-h')).toEqual({ text, code })
  },
)

test('help is also given after a verb and beside other options', async () => {
  const { text } = await print('dataset', 'add', '--publish', '--help')
  expect(text).toContain('Usage: npm run dataset -- add [options] <FILE>\n')
  expect(text).toContain('--product <SLUG>')
})

test.each([
  [['backup'], 'Name the FILE to write: npm run backup -- --help'],
  [['backup', 'a.tar.gz', 'b.tar.gz'], 'Too many arguments: npm run backup -- --help'],
  [['backup', 'a.tar.gz', '--force'], 'Unknown option --force: npm run backup -- --help'],
  [['backup', '/no/such/folder/a.tar.gz'], '/no/such/folder/a.tar.gz cannot be written: choose a folder that exists'],
  [['restore', import.meta.filename, '--force'], 'is not a whole backup: incorrect header check. Use another backup.'],
  [['restore'], 'Missing required argument FILE: npm run restore -- --help'],
  [['restore', '--fast'], 'Unknown option --fast: npm run restore -- --help'],
  [['restore', '/no/such/file'], 'There is no file /no/such/file: check the name.'],
  [['backup', '--keep', '3', 'a.tar.gz'], '--keep needs --to: npm run backup -- --help'],
  [['backup', '--to', 's3://b/x', 'a.tar.gz'], 'Name either a FILE or --to: npm run backup -- --help'],
  [['backup', '--to', 's3://bucket/x', '--keep', '0'], '--keep must be a whole number from 1 to 99999, such as --keep 30.'],
  [['backup', '--to', '/backups'], '--to must be a place in a bucket, such as s3://backups/winnow, not /backups.'],
  [['backup', '--to', 's3://B'], 's3://B must name a bucket and a prefix, such as s3://backups/winnow.'],
  [['drill'], 'Missing required argument FILE: npm run drill -- --help'],
  [['drill', '/no/such/file'], 'There is no file /no/such/file: check the name.'],
  [['new-keys'], 'Confirm with --force that the old keys are lost: node scripts/run.mjs command new-keys --help'],
  [['move'], 'Required option --to <URL> not specified: npm run move -- --help'],
  [['move', '--to'], 'Option --to <URL> argument missing: npm run move -- --help'],
  [['move', '--to', 'mysql://x'], '--to must be a URL such as postgres://user:password@host:5432/winnow.'],
  [['seed', '-x'], 'Unknown option -x: npm run seed -- --help'],
  [['seed', '--force=yes'], 'npm run seed -- --help'],
  [['dataset'], 'Use add or list: npm run dataset -- --help'],
  [['dataset', 'add'], 'Required option --product <SLUG> not specified: npm run dataset -- --help'],
  [['dataset', 'add', '--product', 'x'], 'Missing required argument FILE: npm run dataset -- --help'],
  [['dataset', 'drop'], 'Too many arguments: npm run dataset -- --help'],
  [['nothing'], 'Unknown command nothing. Use one of backup, restore, drill, move'],
])('%j is refused in one sentence with the way out', async (args, sentence) => {
  const refused = await print(...args).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(OperatorError)
  expect(String(refused)).toContain(sentence)
  expect(String(refused)).not.toContain('\n')
})
