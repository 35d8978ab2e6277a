import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { openDatabase } from '#app/platform/database/open.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { describeError } from './log.server.ts'

test('user input does not reach the log through an error of the database', async () => {
  await openDatabase()
  const person = { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' }
  const write = () =>
    db
      .insertInto('people')
      .values({ id: newId(), ...person })
      .execute()
  await write()
  const error = await write().catch((reason: unknown) => reason)

  const logged = describeError(error)
  expect(JSON.stringify(logged)).not.toMatch(/ada|lovelace/i)
  expect(logged).toMatchObject({ code: '23505', constraint: 'people_email_key' })
  expect(logged.stack).toContain('log.test.ts')
})

test('a bug keeps its message, its stack and its cause', () => {
  const logged = describeError(new TypeError('x is not a function', { cause: new RangeError('deeper') }))

  expect(logged).toMatchObject({ type: 'TypeError', message: 'x is not a function', cause: { type: 'RangeError', message: 'deeper' } })
})

/** The messages of a process that runs this code and ends. */
function messagesOf(code: string): string[] {
  const script = `import { log } from '#app/platform/process/log.server.ts'; ${code}`
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, LOG_LEVEL: 'info' } })
  return Array.from(stdout.matchAll(/"msg":"(.*?)"/g), ([, message = '']) => message)
}

test.each([
  ['exits', 'process.exit(0)'],
  ['ends by an error', `throw new Error('unexpected')`],
  ['runs out of work', ''],
])('no line is lost when the process %s, not even one that is written while it ends', (_name, end) => {
  const lines = `process.on('exit', () => log.info('last')); for (const text of ['first', 'second']) log.info(text); ${end}`
  expect(messagesOf(lines)).toEqual(['first', 'second', 'last'])
})

test('lines of several turns of the event loop keep their order', () => {
  const lines = `log.info('a'); log.info('b'); setImmediate(() => log.info('c'))`
  expect(messagesOf(lines)).toEqual(['a', 'b', 'c'])
})

test('a refusal has its code, and not its sentence, which may name a person', () => {
  const described = describeError(new Stop('conflict', 'Ada Lovelace has saved it.', { code: 'edit_conflict' }))
  expect(described).toEqual({ type: 'Stop', code: 'edit_conflict' })
  expect(describeError(new Stop('unavailable', 'Busy.'))).toMatchObject({ code: 'unavailable' })
})
