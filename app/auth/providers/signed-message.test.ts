import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSignedMessage } from './signed-message.ts'

const ADDRESS = '0x00000000000000000000000000000000000000aa'
const lines = [
  'app.example wants you to sign in with your Ethereum account:',
  ADDRESS,
  '',
  'Sign in.',
  '',
  'URI: https://app.example/in',
  'Version: 1',
  'Chain ID: 1',
  'Issued At: 2026-01-02T03:04:05.678Z',
]

test('a message is parsed strictly, with a statement or without', () => {
  const expected = { domain: 'app.example', address: ADDRESS, uri: 'https://app.example/in', chainId: '1' }
  expect(readSignedMessage(lines.join('\n'), 'ethereum')).toEqual({
    ...expected,
    statement: 'Sign in.',
    issuedAt: new Date('2026-01-02T03:04:05.678Z'),
    expiresAt: undefined,
    notBefore: undefined,
  })
  const [head, rest] = [lines.slice(0, 3), lines.slice(5)]
  for (const gap of [[], ['']]) {
    expect(readSignedMessage([...head, ...gap, ...rest].join('\n'), 'ethereum')).toMatchObject({ ...expected, statement: undefined })
  }
})

test('a statement that looks like a field is parsed as a field', () => {
  const twice = lines.with(3, 'URI: https://evil.example')
  expect(readSignedMessage(twice.join('\n'), 'ethereum')).toBeUndefined()
})

test('a missing, repeated or misplaced field makes the message invalid', () => {
  for (const index of lines.keys()) {
    if (index === 3) continue
    expect([index, readSignedMessage(lines.toSpliced(index, 1, 'x').join('\n'), 'ethereum')]).toEqual([index, undefined])
  }
  for (const field of lines.slice(5)) expect(readSignedMessage([...lines, field].join('\n'), 'ethereum')).toBeUndefined()
})

test('the parser accepts any text without an error, and additions never change the domain or the address', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('ethereum', 'solana'), (text, chain) => {
      expect(readSignedMessage(text, chain)).toBeUndefined()
    }),
  )
  fc.assert(
    fc.property(fc.nat({ max: lines.join('\n').length }), fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }), (at, added) => {
      const text = lines.join('\n')
      const changed = text.slice(0, at) + added + text.slice(at)
      const read = readSignedMessage(changed, 'ethereum')
      const stands = read && `${read.domain} wants you to sign in with your Ethereum account:\n${read.address}\n`
      expect(stands === undefined || changed.includes(stands)).toBe(true)
    }),
  )
})
