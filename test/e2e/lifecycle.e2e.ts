import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { bareTest, expect, test } from './fixtures.ts'
import { productStart } from './server.ts'
import { enterAsOwner } from './steps.ts'

/** The log message at the time limit. Exit code 0 proves that the limit was met: after it, the process exits with 1. */
const CUT = 'answers that took too long were cut'

/** Runs the product until it exits. */
function runToEnd(settings: Record<string, string>) {
  const { args, env } = productStart(settings)
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 60_000 })
  return { status, stdout, stderr }
}

bareTest('a first start says what it does in words, then the address, and logs once it serves', () => {
  const output = process.env.E2E_FIRST_OUTPUT ?? ''
  expect(output).toMatch(/ is ready at http:\/\/localhost:\d+\n/)
  const [before = ''] = output.split(' is ready at ')
  expect(before).toMatch(/^Creating the database …\n/)
  expect(before).not.toContain('{')
})

test('asked to end, it finishes the answer that it is giving, lets idle connections go, and is gone', async ({ site }) => {
  const agent = new Agent({ keepAlive: true })
  await text(await new Promise<IncomingMessage>((resolve) => get(`${site.url}/`, { agent }, resolve)))

  // A form whose second half has not arrived yet.
  const form = 'form=contact&name=Ada'
  const slow = request(`${site.url}/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': form.length, expect: '100-continue' },
  })
  slow.flushHeaders()
  // The server says so when it has the request.
  await once(slow, 'continue')
  slow.write(form.slice(0, 10))

  const ended = site.stop()
  const isOpen = () =>
    fetch(site.url).then(
      () => true,
      () => false,
    )
  await expect.poll(isOpen).toBe(false)
  slow.end(form.slice(10))
  const [answer]: IncomingMessage[] = await once(slow, 'response')
  expect([answer?.statusCode, answer?.headers.connection]).toEqual([422, 'close'])

  expect(await ended).toBe(0)
  expect(site.output()).not.toContain(CUT)
  agent.destroy()
})

test('an answer that never ends does not keep it from ending', async ({ site }) => {
  const { port } = new URL(site.url)
  const endless = connect(Number(port), 'localhost').on('error', () => undefined)
  const head =
    'POST /contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n'
  endless.write(`${head}slowly`)
  expect(String((await once(endless, 'data'))[0])).toContain('100 Continue')
  expect(await site.stop()).toBe(0)
  expect(site.output()).toContain(CUT)
})

test.describe('with an owner', () => {
  test.use({ owned: true })

  test('open dashboards are let go', async ({ site, page }) => {
    await enterAsOwner(page)
    expect(await site.stop()).toBe(0)
    expect(site.output()).not.toContain(CUT)
  })
})

test('a second process on the same folder, or the same port, says so in one sentence', async ({ site }) => {
  const { port } = new URL(site.url)
  const sameFolder = runToEnd({ DATA_DIR: site.dataDir, PORT: '0' })
  expect(sameFolder.status).toBe(1)
  expect(sameFolder.stderr).toMatch(/^Another process is using .+\. Stop it first, or give this one a DATA_DIR of its own\.\n$/)

  const samePort = runToEnd({ DATA_DIR: `${site.dataDir}-other`, PORT: port })
  expect(samePort).toEqual({ status: 1, stdout: '', stderr: `Port ${port} is taken: set PORT to another one.\n` })
})

bareTest('a public installation without a named owner does not start, and says so in one sentence', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-site-'))
  cpSync(process.env.E2E_TEMPLATE ?? '', dataDir, { recursive: true })
  const refused = runToEnd({ DATA_DIR: dataDir, PORT: '0', SITE_URL: 'https://winnow.example', LOG_LEVEL: 'warn' })
  expect(refused).toEqual({
    status: 1,
    stdout: 'Opening the database …\n',
    stderr:
      'OWNER_EMAIL must be the address of the person who will own this installation while HOST or SITE_URL is reachable by others, such as owner@example.com.\n',
  })
  rmSync(dataDir, { recursive: true })
})
