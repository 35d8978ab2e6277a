import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'
import type { ServerResponse } from 'node:http'
import { listen } from './http-server.ts'

type Answer = (response: ServerResponse) => void

/**
 * A hosted service with real keys; a test decides its other responses, including those of rare failures. All sessions belong to one person.
 */
export async function startFakeProject() {
  const keys = new Map<string, Awaited<ReturnType<typeof makeKey>>>()
  const person = { id: crypto.randomUUID(), email: 'ada@example.com', email_confirmed_at: '2026-01-01T00:00:00Z', user_metadata: {} }
  const state = {
    published: [] as unknown[],
    keysAre: undefined as Answer | undefined,
    answer: json(404, {}),
    askedForKeys: 0,
    asked: [] as string[],
  }

  const { url: base, close } = await listen(({ url = '', method }, response) => {
    if (url.endsWith('/jwks.json')) {
      state.askedForKeys += 1
      return (state.keysAre ?? json(200, { keys: state.published }))(response)
    }
    state.asked.push(`${method} ${url}`)
    state.answer(response)
  })

  async function addKey(kid: string) {
    const key = await makeKey(kid)
    keys.set(kid, key)
    return key
  }

  /** An access token of the service; `secret` and `header` create invalid ones. */
  function sign(kid: string, { secret, header }: { secret?: Uint8Array; header?: JWTHeaderParameters } = {}): Promise<string> {
    const key = secret ?? keys.get(kid)?.privateKey
    if (!key) throw new Error('There is no such key.')
    return new SignJWT({ session_id: crypto.randomUUID(), email: person.email, aal: 'aal1' })
      .setProtectedHeader(header ?? { alg: 'ES256', kid })
      .setSubject(person.id)
      .setIssuer(`${base}/auth/v1`)
      .setAudience('authenticated')
      .setIssuedAt()
      .setExpirationTime('1 hour')
      .sign(key)
  }

  const sessionBy = (token: string) =>
    json(200, { access_token: token, token_type: 'bearer', expires_in: 3600, refresh_token: 'r'.repeat(20), user: person })

  return { base, state, person, addKey, sign, sessionBy, close }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export function html(status: number): Answer {
  return (response) => void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>One moment</h1>')
}

async function makeKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const published: JWK = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }
  return { publicKey, privateKey, published }
}
