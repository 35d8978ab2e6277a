import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const giveUp = `
  const { createServer } = await import('node:http')
  const { env } = await import('./app/platform/env.server.ts')
  const { giveUp } = await import('./app/platform/http/lifecycle.server.ts')
  createServer().on('error', giveUp).listen(env.PORT, env.HOST)`

test.each([
  ['203.0.113.7', 'is no address of this machine: set HOST to one, such as 127.0.0.1 or 0.0.0.0.'],
  ['no-such-host.invalid', 'is no address of this machine: set HOST to one, such as 127.0.0.1 or 0.0.0.0.'],
])('an address where nothing can listen is told in one sentence: %s', (HOST, sentence) => {
  const env = { ...process.env, HOST, PORT: '0' }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', giveUp], { env, encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: `${HOST} ${sentence}\n` })
})
