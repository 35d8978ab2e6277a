import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

type Fault = (response: ServerResponse) => void

/** Two issuers that are correct except for one document. Documents that were read are cached. */
const issuer = await vi.hoisted(async () => {
  const { createServer } = await import('node:http')
  const { exportJWK, generateKeyPair } = await import('jose')
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const faults = new Map<string, Fault>()
  const issuer = { base: '', privateKey, faults, asked: new Array<string>(), sent: 0, close: () => undefined as void }
  const answerTo = (url: string) => {
    const [, folder = '', document] = /^(\/\w+)(\/.*)$/.exec(url) ?? []
    const address = issuer.base + folder
    if (document === '/jwks') return { keys: [key] }
    return { issuer: address, authorization_endpoint: `${address}/a`, token_endpoint: `${address}/t`, jwks_uri: `${address}/jwks` }
  }
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const server = createServer(({ url = '' }, response) => {
    issuer.asked.push(url)
    const fault = faults.get(url)
    if (fault) return fault(response)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerTo(url)))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  issuer.base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  issuer.close = () => (server.closeAllConnections(), void server.close())
  for (const name of ['KEYCLOAK', 'GOOGLE']) {
    const settings = { ENABLED: 'true', CLIENT_ID: 'winnow', URL: `${issuer.base}/${name.toLowerCase()}` }
    for (const [setting, value] of Object.entries(settings)) process.env[`EXTERNAL_${name}_${setting}`] = value
  }
  return issuer
})

import { SignJWT } from 'jose'
import { startAuth } from '#test/auth-app.ts'
import { authClient, forgetLimits, someEmail } from '#test/auth.ts'

const app = await startAuth()
const call = authClient(app)
afterAll(() => issuer.close())
afterEach(() => vi.restoreAllMocks())
beforeEach(async () => {
  await forgetLimits()
  issuer.faults.clear()
  issuer.asked = []
  issuer.sent = 0
})

async function signIn(provider: string) {
  const claims = { sub: crypto.randomUUID(), email: someEmail(), email_verified: true }
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(`${issuer.base}/${provider}`)
    .setAudience('winnow')
  const id_token = await token.setIssuedAt().setExpirationTime('1 minute').sign(issuer.privateKey)
  const reply = await call('POST', '/token?grant_type=id_token', { provider, id_token })
  return [reply.statusCode, reply.json().code]
}

const text =
  (body: string, type = 'application/json'): Fault =>
  (response) =>
    void response.writeHead(200, { 'content-type': type }).end(body)

const faults: [what: string, fault: Fault][] = [
  ['no JSON', text('<html>Sign in</html>', 'text/html')],
  ['half of an answer', text('{"keys":[')],
  ['something else in JSON', text('{"keys":"none","issuer":7}')],
  ['nothing', text('')],
  ['a fault of its own', (response) => void response.writeHead(500).end('{}')],
  ['a way elsewhere', (response) => void response.writeHead(302, { location: '/google/elsewhere' }).end()],
  ['a way elsewhere for good', (response) => void response.writeHead(308, { location: `${issuer.base}/google/elsewhere` }).end()],
  ['a broken connection', (response) => void response.destroy()],
]

/** The one document of each issuer that stays wrong. */
const documents = [
  ['keycloak', '/keycloak/.well-known/openid-configuration'],
  ['google', '/google/jwks'],
] as const

const BUSY = [503, 'unexpected_failure']

describe('error', () => {
  for (const [provider, path] of documents) {
    test.each(faults)(
      `%s in place of ${path} opens no session, follows no redirect and does not blame the client`,
      async (_what, fault) => {
        issuer.faults.set(path, fault)
        expect(await signIn(provider)).toEqual(BUSY)
        expect(issuer.asked).toContain(path)
        expect(issuer.asked).not.toContain('/google/elsewhere')
      },
    )
  }
})

describe('security', () => {
  test.each(documents)('of an endless answer of %s at %s a small part is read', async (provider, path) => {
    const pour = (response: ServerResponse) => {
      const chunk = Buffer.alloc(64 * 1024, ' ')
      const more = () => {
        while (!response.destroyed && issuer.sent < 64 * 1024 * 1024) {
          issuer.sent += chunk.length
          if (!response.write(chunk)) return
        }
        response.destroy()
      }
      response.writeHead(200, { 'content-type': 'application/json' }).on('drain', more)
      more()
    }
    issuer.faults.set(path, pour)
    expect(await signIn(provider)).toEqual(BUSY)
    // Plus the contents of both socket buffers.
    expect(issuer.sent).toBeLessThan(16 * 1024 * 1024)
  })

  test.each(documents)('%s, which answers at %s word by word, is left after five seconds', async (provider, path) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 100))
    issuer.faults.set(path, (response) => {
      const drip = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(drip))
    })
    expect(await signIn(provider)).toEqual(BUSY)
    expect(Math.max(...patience.mock.calls.map(([ms]) => ms))).toBe(5000)
  })
})

describe('happy', () => {
  test.each(documents)(
    'when %s is itself again its tokens are good, and a fault after that is not noticed for a while',
    async (provider, path) => {
      expect(await signIn(provider)).toEqual([200, undefined])
      issuer.faults.set(path, (response) => void response.destroy())
      expect(await signIn(provider)).toEqual([200, undefined])
    },
  )
})
