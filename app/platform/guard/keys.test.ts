import { statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { keysFolder, mac, seal, unseal } from './keys.server.ts'

test('sealed data opens only with its own purpose and context, and not after a bit was changed', () => {
  const sealed = seal('letter', 'row-1', 'a secret link')
  expect(unseal('letter', 'row-1', sealed).toString()).toBe('a secret link')
  expect(() => unseal('letter', 'row-2', sealed)).toThrow('unable to authenticate')
  expect(() => unseal('other', 'row-1', sealed)).toThrow('unable to authenticate')
  for (const at of [0, 12, sealed.length - 1]) {
    const altered = Buffer.from(sealed)
    altered[at] = (altered[at] ?? 0) ^ 1
    expect(() => unseal('letter', 'row-1', altered)).toThrow('unable to authenticate')
  }
})

test('the same text sealed twice looks different, and neither shows it', () => {
  const [one, other] = [seal('letter', 'row', 'a secret link'), seal('letter', 'row', 'a secret link')]
  expect(one.equals(other)).toBe(false)
  expect(one.indexOf('secret')).toBe(-1)
})

test('a keyed hash is valid for one purpose', () => {
  expect(mac('a', 'x').equals(mac('a', 'x'))).toBe(true)
  expect(mac('a', 'x').equals(mac('b', 'x'))).toBe(false)
})

test('only the owner of the installation may read its key', () => {
  mac('a', 'x')
  const { mode, size } = statSync(path.join(keysFolder(), 'master.key'))
  expect([mode & 0o777, size]).toEqual([0o600, 32])
  expect(statSync(keysFolder()).mode & 0o777).toBe(0o700)
})
