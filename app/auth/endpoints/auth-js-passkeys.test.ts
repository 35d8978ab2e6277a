import { AuthClient } from '@supabase/auth-js'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeServiceKey } from '#app/auth/sessions/jwt.server.ts'
import { startAuth } from '#test/auth-app.ts'
import { forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { softAuthenticator } from '#test/authenticator.ts'

const app = await startAuth()
const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
const clients: InstanceType<typeof AuthClient>[] = []
beforeEach(forgetLimits)
afterEach(() => vi.unstubAllGlobals())
afterAll(async () => void (await Promise.all(clients.map((client) => client.stopAutoRefresh()))))

/** The WebAuthn API of a browser, as the client uses it. */
class PublicKeyCredential {
  #json: object

  constructor(json: object) {
    this.#json = json
  }

  toJSON() {
    return this.#json
  }

  static parseCreationOptionsFromJSON = (options: object) => structuredClone(options)
  static parseRequestOptionsFromJSON = (options: object) => structuredClone(options)
}

/** A minimal browser with an authenticator, for the client. */
function stubBrowser(device = softAuthenticator()) {
  const location = { hostname: 'localhost', origin: 'http://localhost:3000', href: 'http://localhost:3000/' }
  vi.stubGlobal('window', { PublicKeyCredential, location, addEventListener() {}, removeEventListener() {} })
  vi.stubGlobal('document', { addEventListener() {}, visibilityState: 'visible' })
  vi.stubGlobal('PublicKeyCredential', PublicKeyCredential)
  vi.stubGlobal('navigator', {
    credentials: {
      create: async ({ publicKey }: { publicKey: object }) => new PublicKeyCredential(device.create(publicKey)),
      get: async ({ publicKey }: { publicKey: object }) => new PublicKeyCredential(device.get(publicKey)),
    },
  })
}

/** The official client, unmodified. */
function newClient(storageKey: string) {
  const client = new AuthClient({ url, autoRefreshToken: false, persistSession: false, detectSessionInUrl: false, storageKey })
  clients.push(client)
  return client
}

async function signedIn() {
  const { email } = await signUpAndConfirm(app)
  const client = newClient(email)
  await client.signInWithPassword({ email, password: PASSWORD })
  return { client, email }
}

test('it registers a passkey, signs in with it, lists, renames and deletes it', async () => {
  stubBrowser()
  const { client, email } = await signedIn()
  const registered = await client.registerPasskey()
  expect(registered.error).toBeNull()

  const other = newClient(`${email}-2`)
  const { data, error } = await other.signInWithPasskey()
  expect([error, data?.user?.email]).toEqual([null, email])
  expect((await other.getUser()).data.user?.email).toBe(email)
  expect((await other.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    currentAuthenticationMethods: [{ method: 'passkey' }],
  })

  const passkeyId = registered.data?.id ?? ''
  expect((await other.passkey.list()).data).toMatchObject([{ id: passkeyId, last_used_at: expect.any(String) }])
  expect((await other.passkey.update({ passkeyId, friendlyName: 'Laptop' })).data).toMatchObject({ friendly_name: 'Laptop' })
  expect(await other.passkey.delete({ passkeyId })).toEqual({ data: null, error: null })
  expect((await other.passkey.list()).data).toEqual([])
  expect((await newClient(`${email}-3`).signInWithPasskey()).error?.code).toBe('webauthn_verification_failed')
})

test('a key is enrolled, challenged and verified by it as a second factor, and is taken away again', async () => {
  stubBrowser()
  const { client, email } = await signedIn()
  const { error } = await client.mfa.webauthn.register({ friendlyName: 'Key' })
  expect(error).toBeNull()
  expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' })

  const other = newClient(`${email}-2`)
  await other.signInWithPassword({ email, password: PASSWORD })
  expect((await other.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
  const factorId = (await other.mfa.listFactors()).data?.webauthn[0]?.id ?? ''
  expect((await other.mfa.webauthn.authenticate({ factorId })).error).toBeNull()
  expect((await other.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    currentAuthenticationMethods: [{ method: 'mfa/webauthn' }, { method: 'password' }],
  })
  expect((await other.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })
})

test('with a service key it lists and deletes the passkeys of a user', async () => {
  stubBrowser()
  const { client } = await signedIn()
  const { data: registered } = await client.registerPasskey()
  const userId = (await client.getUser()).data.user?.id ?? ''
  const headers = { Authorization: `Bearer ${await makeServiceKey(1)}` }
  const { admin } = new AuthClient({ url, headers, autoRefreshToken: false, persistSession: false, storageKey: 'admin' })
  expect((await admin.passkey.listPasskeys({ userId })).data).toMatchObject([{ id: registered?.id }])
  expect((await admin.passkey.deletePasskey({ userId, passkeyId: registered?.id ?? '' })).error).toBeNull()
  expect((await client.passkey.list()).data).toEqual([])
})
