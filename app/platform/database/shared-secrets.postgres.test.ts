import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PASSWORD } from '#test/auth.ts'
import { useSettings } from '#test/settings.ts'

const url = process.env.DATABASE_URL ?? ''
const MASTER_KEY = 'c'.repeat(40)
const folders: string[] = []

/** The product as on another machine: an empty data folder, the database, and one key. */
async function startMachine() {
  const folder = mkdtempSync(path.join(tmpdir(), 'winnow-machine-'))
  folders.push(folder)
  useSettings({ DATA_DIR: folder, DATABASE_URL: url, MASTER_KEY, RATE_LIMITS: 'off' })
  vi.resetModules()
  const { closeDatabase, openDatabase } = await import('./open.server.ts')
  const { closeSignals, openSignals } = await import('./signals.server.ts')
  const { createHttp } = await import('#app/platform/http/http.server.ts')
  const { endpoints } = await import('#app/server.ts')
  const { mac, seal, unseal } = await import('#app/platform/guard/keys.server.ts')
  const { rotateSigningKey } = await import('#app/auth/sessions/jwt.server.ts')
  const { makeUser } = await import('#test/factories.ts')
  const { hashPassword } = await import('#app/auth/sessions/hashing.server.ts')
  await openDatabase()
  await openSignals()
  const app = createHttp()
  app.register(endpoints)
  await app.ready()
  const signIn = async (email: string): Promise<{ access_token: string; refresh_token: string }> =>
    (await app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', payload: { email, password: PASSWORD } })).json()
  const statusFor = async (token: string) =>
    (await app.inject({ url: '/auth/v1/user', headers: { authorization: `Bearer ${token}` } })).statusCode
  const published = async () => (await app.inject({ url: '/auth/v1/.well-known/jwks.json' })).json()
  const addUser = async (email: string) => makeUser({ email, passwordHash: await hashPassword(PASSWORD) })
  const stop = async () => {
    await app.close()
    await closeSignals()
    await closeDatabase()
  }
  return { folder, app, mac, seal, unseal, rotateSigningKey, signIn, statusFor, published, addUser, stop }
}

let one: Awaited<ReturnType<typeof startMachine>>
let other: Awaited<ReturnType<typeof startMachine>>
beforeAll(async () => {
  // Both meet an empty database at the same moment.
  one = await startMachine()
  other = await startMachine()
  await one.addUser('ada@example.com')
})
afterAll(async () => {
  await one.stop()
  await other.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test('two machines with data folders of their own sign, seal and verify for each other', async () => {
  const { access_token: token, refresh_token } = await one.signIn('ada@example.com')
  expect([await one.statusFor(token), await other.statusFor(token)]).toEqual([200, 200])
  expect(await other.published()).toEqual(await one.published())
  expect(other.mac('form', 'x')).toEqual(one.mac('form', 'x'))
  expect(other.unseal('email', 'row', one.seal('email', 'row', 'a link')).toString()).toBe('a link')
  const renewed = await other.app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=refresh_token', payload: { refresh_token } })
  expect(renewed.statusCode).toBe(200)
  expect(await one.statusFor(renewed.json().access_token)).toBe(200)
  for (const folder of folders) expect(readdirSync(path.join(folder, 'keys'))).toEqual([])
})

test('a key that one machine voids is void on the other at once', async () => {
  const { access_token: token } = await other.signIn('ada@example.com')
  expect(await other.statusFor(token)).toBe(200)
  await one.rotateSigningKey({ isLeaked: true })
  await expect.poll(() => other.statusFor(token)).toBe(403)
  expect(await one.statusFor((await other.signIn('ada@example.com')).access_token)).toBe(200)
})
