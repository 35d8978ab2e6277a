import { exportJWK, generateKeyPair } from 'jose'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { useSettings } from '#test/settings.ts'

const folder = process.env.DATA_DIR ?? ''
const url = process.env.DATABASE_URL
const [KEY, NEXT] = ['0123456789abcdef'.repeat(2), 'fedcba9876543210'.repeat(2)]
let stop: (() => Promise<void>) | undefined

/** Starts the product once more, with modules of its own. */
async function start(masterKey = '') {
  useSettings({ DATA_DIR: folder, MASTER_KEY: masterKey, ...(url && { DATABASE_URL: url }) })
  vi.resetModules()
  const { closeDatabase, forgetKeys, openDatabase } = await import('./open.server.ts')
  const { mac, seal, unseal } = await import('#app/platform/guard/keys.server.ts')
  const { publicKeys } = await import('#app/auth/sessions/jwt.server.ts')
  const refused = await openDatabase().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : ''),
  )
  stop = closeDatabase
  const sealedRoot = async () => {
    const { db } = await import('./db.server.ts')
    const { sealed } = await db.selectFrom('secrets').select('sealed').where('name', '=', 'root').executeTakeFirstOrThrow()
    return Buffer.from(sealed)
  }
  return { refused, mac, seal, unseal, publicKeys, sealedRoot, forgetKeys }
}

/** An installation without keys. */
async function fresh(masterKey = '') {
  await stop?.()
  rmSync(path.join(folder, 'keys'), { recursive: true, force: true })
  const { forgetKeys } = await start('0'.repeat(32))
  await stop?.()
  await forgetKeys()
  return start(masterKey)
}

const keyFile = path.join(folder, 'keys/master.key')
const idsOf = async ({ publicKeys }: Awaited<ReturnType<typeof start>>) => (await publicKeys()).map(({ kid }) => kid)

afterEach(async () => {
  await stop?.()
  stop = undefined
})

test('keys are in the database: no file but the key file is written, and none with MASTER_KEY', async () => {
  const { mac, sealedRoot } = await fresh()
  const before = mac('a', 'x')
  expect(readFileSync(keyFile)).toHaveLength(32)
  expect((await sealedRoot()).indexOf(readFileSync(keyFile))).toBe(-1)
  await stop?.()
  expect((await start()).mac('a', 'x')).toEqual(before)

  const sealedByKey = await fresh(KEY)
  const ids = await idsOf(sealedByKey)
  expect(() => readFileSync(keyFile)).toThrow('ENOENT')
  await stop?.()
  rmSync(path.join(folder, 'keys'), { recursive: true })
  expect(await idsOf(await start(KEY))).toEqual(ids)
})

test('the key files of an earlier version move into the database, and what they sealed and signed stays valid', async () => {
  await fresh()
  await stop?.()
  const { forgetKeys } = await start()
  await stop?.()
  await forgetKeys()
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  mkdirSync(path.dirname(keyFile), { recursive: true })
  writeFileSync(
    path.join(folder, 'keys/signing-key.json'),
    JSON.stringify({ ...(await exportJWK(privateKey)), kid: 'earlier', alg: 'ES256' }),
  )
  writeFileSync(keyFile, Buffer.alloc(32, 7))

  const first = await start()
  expect(await idsOf(first)).toEqual(['earlier'])
  const [hash, sealed] = [first.mac('a', 'x'), first.seal('email', 'row', 'a link')]
  await stop?.()

  // From now on MASTER_KEY seals them, and the files may go.
  const second = await start(KEY)
  expect(second.mac('a', 'x')).toEqual(hash)
  await stop?.()
  rmSync(path.join(folder, 'keys'), { recursive: true })
  const third = await start(KEY)
  expect(await idsOf(third)).toEqual(['earlier'])
  expect(third.mac('a', 'x')).toEqual(hash)
  expect(third.unseal('email', 'row', sealed).toString()).toBe('a link')
})

test('a new MASTER_KEY takes the place of the previous one, and then the previous one is refused', async () => {
  const first = await fresh(KEY)
  const [hash, ids] = [first.mac('a', 'x'), await idsOf(first)]
  await stop?.()
  const both = await start(`${NEXT},${KEY}`)
  expect([both.mac('a', 'x'), await idsOf(both)]).toEqual([hash, ids])
  await stop?.()
  const next = await start(NEXT)
  expect([next.mac('a', 'x'), await idsOf(next)]).toEqual([hash, ids])
  await stop?.()
  expect((await start(KEY)).refused).toMatch(/^MASTER_KEY is not the key that seals the secrets in this database: set it to /)
})

test('another MASTER_KEY, or none, is refused with the way out, and the way out works', async () => {
  const first = await fresh(KEY)
  const ids = await idsOf(first)
  await stop?.()
  expect((await start(NEXT)).refused).toContain('new-keys --force creates new keys.')
  await stop?.()
  expect((await start()).refused).toMatch(/^The secrets in this database are sealed by another key: set MASTER_KEY/)
  expect(() => readFileSync(keyFile)).toThrow('ENOENT')
  await stop?.()

  const { forgetKeys } = await start(NEXT)
  await stop?.()
  await forgetKeys()
  const renewed = await start(NEXT)
  expect(renewed.refused).toBeUndefined()
  expect(await idsOf(renewed)).not.toEqual(ids)
})
