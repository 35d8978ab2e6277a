import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { bareTest as test, expect } from './fixtures.ts'
import { startServer } from './server.ts'
import { ada } from './steps.ts'

test('when the embedded engine dies the process says so and ends, and the next start has all that was kept', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-dead-'))
  cpSync(process.env.E2E_TEMPLATE ?? '', dataDir, { recursive: true })
  const breaker = pathToFileURL(path.resolve('test/e2e/break-engine.mjs')).href
  const doomed = await startServer({ DATA_DIR: dataDir, NODE_OPTIONS: `--import=${breaker}` })
  const send = (url: string, body: object) =>
    fetch(`${url}/api/contact`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const enquiry = { ...ada, form: 'contact', idempotencyKey: 'before-the-end' }
  const { reference }: { reference: string } = await (await send(doomed.url, enquiry)).json()

  const ended = doomed.ended()
  doomed.signal('SIGUSR2')
  await send(doomed.url, { ...enquiry, idempotencyKey: 'at-the-end' }).catch(() => undefined)
  expect(await ended).toBe(1)
  expect(doomed.output()).toMatch(/"level":"fatal".*"msg":"cannot go on"/)

  const next = await startServer({ DATA_DIR: dataDir })
  expect(await (await send(next.url, enquiry)).json()).toMatchObject({ reference })
  await next.stop()
  rmSync(dataDir, { recursive: true })
})
