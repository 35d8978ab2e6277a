import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './http-server.ts'

/** The person at the provider: claims of the tokens, or the data of the provider's own API. */
export type Person = { sub: string; email?: string | undefined; email_verified?: boolean | string; name?: string; [claim: string]: unknown }

type Asked = { person: Person; challenge: string; nonce: string | null; client: string; redirect: string }

export const SECRET = 'a secret between us'
export const CLIENT = 'winnow'

/** A provider of OpenID Connect and OAuth 2 for any person. Each folder of its address is a separate issuer. */
export async function startProvider() {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  const codes = new Map<string, Asked>()
  const people = new Map<string, Person>()
  const state = {
    person: { sub: 'nobody' } as Person,
    claims: {} as JWTPayload,
    isDown: false,
    calls: [] as string[],
    otherEmails: new Array<{ email: string; primary: boolean; verified: boolean }>(),
  }

  const sign = (issuer: string, claims: JWTPayload, key = privateKey, kid = 'one') => {
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ iss: issuer, iat: now, exp: now + 300, ...claims }).setProtectedHeader({ alg: 'ES256', kid }).sign(key)
  }

  /** It has no pages: it signs every visitor in and redirects back. */
  function authorize(url: URL): string {
    const code = randomUUID()
    const ask = (name: string) => url.searchParams.get(name)
    const redirect = ask('redirect_uri') ?? ''
    codes.set(code, {
      person: state.person,
      challenge: ask('code_challenge') ?? '',
      nonce: ask('nonce'),
      client: ask('client_id') ?? '',
      redirect,
    })
    return `${redirect}?${new URLSearchParams({ code, state: ask('state') ?? '' })}`
  }

  async function exchange(issuer: string, form: URLSearchParams) {
    const asked = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = asked?.challenge === challenge && form.get('client_secret') === SECRET && form.get('redirect_uri') === asked.redirect
    if (!isRight || form.get('client_id') !== CLIENT) return { status: 400, body: { error: 'invalid_grant' } }
    const accessToken = randomUUID()
    people.set(accessToken, asked.person)
    const nonce = asked.nonce === null ? {} : { nonce: asked.nonce }
    const idToken = await sign(issuer, { aud: asked.client, ...nonce, ...asked.person, ...state.claims })
    return {
      status: 200,
      body: { access_token: accessToken, token_type: 'Bearer', refresh_token: 'theirs', scope: ['a', 'b'], id_token: idToken },
    }
  }

  function answerApi(path: string, token: string) {
    const person = people.get(token)
    if (!person) return { status: 401, body: {} }
    const { sub, email, email_verified: verified, name } = person
    if (path.endsWith('/user/emails'))
      return { status: 200, body: [{ email, primary: true, verified: verified === true }, ...state.otherEmails] }
    if (path.endsWith('/user'))
      return { status: 200, body: { id: Number(sub), login: name, name, avatar_url: 'https://pictures.example/1' } }
    return { status: 200, body: { id: sub, email, verified, display_name: name, username: name, name } }
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const path = url.pathname
    state.calls.push(path)
    if (state.isDown) return void response.writeHead(502).end('gone')
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path.endsWith('/.well-known/openid-configuration'))
      return void send(200, documentsOf(url.origin + path.replace('/.well-known/openid-configuration', '')))
    if (path.endsWith('/jwks')) return void send(200, { keys: [jwk] })
    if (path.endsWith('/authorize')) return void response.writeHead(302, { location: authorize(url) }).end()
    const issuer = url.origin + path.replace(/\/(token|oauth2\/token|api\/token|login\/oauth\/access_token|oauth\/access_token)$/, '')
    const answer =
      request.method === 'POST'
        ? await exchange(issuer, new URLSearchParams(await text(request)))
        : answerApi(path, request.headers.authorization?.replace('Bearer ', '') ?? '')
    send(answer.status, answer.body)
  }

  const { url: base, close } = await listen(handle)
  return { base, state, sign, close }
}

function documentsOf(issuer: string) {
  return { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` }
}
