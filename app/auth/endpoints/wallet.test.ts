import { AuthClient } from '@supabase/auth-js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, {
    EXTERNAL_WEB3_ETHEREUM_ENABLED: 'true',
    EXTERNAL_WEB3_SOLANA_ENABLED: 'true',
    URI_ALLOW_LIST: 'https://app.example,http://plain.example',
  })
})

import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, forgetLimits } from '#test/auth.ts'
import { ethereumWallet, messageFor, solanaWallet, type Wallet } from '#test/wallet.ts'

const app = await startAuth()
const call = authClient(app)
beforeEach(forgetLimits)

const send = (chain: string, message: string, signature: string) => call('POST', '/token?grant_type=web3', { chain, message, signature })
const signIn = (wallet: Wallet, message = messageFor(wallet)) => send(wallet.chain, message, wallet.sign(message))
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const wallets = [ethereumWallet, solanaWallet]

describe('happy', () => {
  test.each(wallets)('a wallet signs in, and is the same user the next time', async (make) => {
    const wallet = make()
    const reply = await signIn(wallet)
    expect(reply.statusCode).toBe(200)
    const { access_token: token, user } = sessionAnswer.parse(reply.json())
    expect(claimsOf(token).amr).toMatchObject([{ method: 'web3' }])
    expect(user).toMatchObject({ email: '', app_metadata: { provider: 'web3', providers: ['web3'] } })
    expect(user.identities).toMatchObject([
      { provider: 'web3', id: `web3:${wallet.chain}:${wallet.address}`, last_sign_in_at: expect.any(String) },
    ])
    expect(user.identities[0]?.identity_data).toMatchObject({
      custom_claims: { address: wallet.address, chain: wallet.chain, domain: 'localhost:3000', statement: 'I want to sign in.' },
    })
    const again = await signIn(
      wallet,
      messageFor(wallet, { issuedAt: inMinutes(-1), statement: null, fields: ['Resources:', '- https://a.example/1'] }),
    )
    expect(again.json().user.id).toBe(user.id)
  })

  test('a recovery number of 0 or 1, and an address in capitals, are the same wallet of Ethereum', async () => {
    const wallet = ethereumWallet()
    const first = (await signIn(wallet)).json().user.id
    const loud = { ...wallet, address: `0x${wallet.address.slice(2).toUpperCase()}` }
    const message = messageFor(loud, { issuedAt: inMinutes(-1) })
    expect((await send('ethereum', message, wallet.signWith(message, 0))).json().user.id).toBe(first)
  })

  test('a signature of Solana may be written in either base64, with or without its end', async () => {
    const wallet = solanaWallet()
    for (const [minutes, encoding] of [
      [-1, 'base64'],
      [-2, 'base64url'],
    ] as const) {
      const message = messageFor(wallet, { issuedAt: inMinutes(minutes), chainId: 'solana:mainnet' })
      const signature = wallet.signBytes(Buffer.from(message)).toString(encoding).replace(/=+$/, '')
      expect((await send('solana', message, signature)).statusCode).toBe(200)
    }
  })

  test('a Ledger signs an envelope around the text, in the short form or that of the standard', async () => {
    const wallet = solanaWallet()
    const head = Buffer.from('\u00ffsolana offchain\u0000', 'latin1')
    const envelopes = [
      (text: Buffer, length: Buffer) => Buffer.concat([head, Buffer.of(0), length, text]),
      (text: Buffer, length: Buffer) => Buffer.concat([head, Buffer.alloc(32), Buffer.of(1, 1), wallet.key, length, text]),
    ]
    for (const [index, wrap] of envelopes.entries()) {
      const message = messageFor(wallet, { issuedAt: inMinutes(-index) })
      const length = Buffer.alloc(2)
      length.writeUInt16LE(Buffer.byteLength(message))
      const signature = wallet.signBytes(wrap(Buffer.from(message), length)).toString('base64')
      expect((await send('solana', message, signature)).statusCode).toBe(200)
    }
  })

  test('the protocol’s own client sends what it was given', async () => {
    const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
    const client = new AuthClient({ url, autoRefreshToken: false })
    const wallet = ethereumWallet()
    const message = messageFor(wallet)
    const signature = wallet.sign(message)
    const { data, error } = await client.signInWithWeb3({ chain: 'ethereum', message, signature: `0x${signature.slice(2)}` })
    expect(error).toBeNull()
    expect(data.user?.identities?.[0]?.provider).toBe('web3')
    await client.stopAutoRefresh()
  })
})

describe('error', () => {
  test('another chain, and what is no message or no signature, have their codes', async () => {
    const wallet = ethereumWallet()
    const message = messageFor(wallet)
    const signature = wallet.sign(message)
    const cases: [chain: string, message: string, signature: string, code: string][] = [
      ['bitcoin', message, signature, 'web3_unsupported_chain'],
      ['', message, signature, 'web3_unsupported_chain'],
      ['ethereum', 'short', signature, 'validation_failed'],
      ['ethereum', message + ' '.repeat(20 * 1024), signature, 'validation_failed'],
      ['ethereum', message, 'x', 'validation_failed'],
      ['ethereum', message, signature.slice(0, -2), 'validation_failed'],
      ['solana', message, signature, 'validation_failed'],
    ]
    for (const [chain, text, signed, code] of cases) {
      const reply = await send(chain, text, signed)
      expect([reply.statusCode, reply.json().code]).toEqual([400, code])
    }
  })

  test.each(wallets)('a message that is not written as it has to be is refused, however well it is signed', async (make) => {
    const wallet = make()
    const other = { ...wallet, address: `${wallet.address}!` }
    const name = wallet.chain === 'ethereum' ? 'Ethereum' : 'Solana'
    const broken = [
      messageFor(wallet, { version: '2' }),
      messageFor(wallet, { issuedAt: 'yesterday' }),
      messageFor(wallet, { uri: 'nowhere' }),
      messageFor(wallet, { chainId: 'many' }),
      messageFor(wallet, { chainId: '-1' }),
      messageFor(wallet, { fields: ['Issued At: 2026-01-01T00:00:00Z'] }),
      messageFor(wallet, { fields: ['Color: red'] }),
      messageFor(wallet, { fields: ['Expiration Time: soon'] }),
      messageFor(wallet, { fields: ['Resources:', 'https://a.example'] }),
      messageFor(wallet, { statement: 'one\ntwo' }),
      messageFor(wallet, { statement: 'tab\there' }),
      messageFor(other),
      messageFor(wallet).replace(name, name.toLowerCase()),
      messageFor(wallet).replace('URI: ', 'URL: '),
      messageFor(wallet, { domain: 'user@localhost:3000' }),
      `\n${messageFor(wallet)}`,
      `${messageFor(wallet)}\n`,
    ]
    for (const message of broken) {
      await forgetLimits()
      const reply = await signIn(wallet, message)
      expect([message, reply.statusCode, reply.json().code]).toEqual([message, 400, 'validation_failed'])
    }
  })
})

describe('security', () => {
  const refusal = async (wallet: Wallet, message: string) => {
    const reply = await signIn(wallet, message)
    return [reply.statusCode, reply.json()]
  }

  test.each(wallets)('a message for another site, too early, too late or by another wallet is refused', async (make) => {
    const wallet = make()
    const refused = [
      messageFor(wallet, { domain: 'evil.example', uri: 'https://evil.example/' }),
      messageFor(wallet, { domain: 'localhost:3000', uri: 'https://evil.example/' }),
      messageFor(wallet, { domain: 'evil.example' }),
      messageFor(wallet, { domain: 'app.example', uri: 'https://app.example.evil.example/' }),
      messageFor(wallet, { domain: 'plain.example', uri: 'http://plain.example/' }),
      messageFor(wallet, { domain: 'localhost', uri: 'http://localhost/' }),
      messageFor(wallet, { issuedAt: inMinutes(-11) }),
      messageFor(wallet, { issuedAt: inMinutes(11) }),
      messageFor(wallet, { fields: [`Expiration Time: ${inMinutes(-1).toISOString()}`] }),
      messageFor(wallet, { fields: [`Not Before: ${inMinutes(1).toISOString()}`] }),
      messageFor(make()),
    ]
    for (const message of refused) {
      await forgetLimits()
      expect([message, await refusal(wallet, message)]).toEqual([
        message,
        [400, { error: 'invalid_grant', error_description: expect.any(String) }],
      ])
    }
    expect((await signIn(wallet, messageFor(wallet, { domain: 'app.example', uri: 'https://app.example/in' }))).statusCode).toBe(200)
  })

  test.each(wallets)('a message opens one session, however often it comes, also at the same moment', async (make) => {
    const wallet = make()
    const message = messageFor(wallet)
    const replies = await Promise.all([1, 2, 3, 4].map(() => signIn(wallet, message)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect((await signIn(wallet, message)).json()).toMatchObject({ error: 'invalid_grant' })
  })

  test('another valid signature of a used message is refused', async () => {
    const wallet = ethereumWallet()
    const message = messageFor(wallet)
    const signature = wallet.sign(message)
    expect((await send('ethereum', message, signature)).statusCode).toBe(200)
    const bytes = Buffer.from(signature.slice(2), 'hex')
    const high = secp256k1.Point.Fn.ORDER - BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`)
    const twin = `0x${bytes.subarray(0, 32).toString('hex')}${high.toString(16).padStart(64, '0')}${bytes[64] === 27 ? '1c' : '1b'}`
    expect((await send('ethereum', message, twin)).json()).toMatchObject({
      error: 'invalid_grant',
      error_description: 'Signed message has been used already',
    })
  })

  test('a signature of nothing, or of another text, is none', async () => {
    const wallet = ethereumWallet()
    const message = messageFor(wallet)
    for (const signature of [`0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, wallet.sign(`${message}.`), wallet.signWith(message, 4)]) {
      expect((await send('ethereum', message, signature)).json()).toMatchObject({ error: 'invalid_grant' })
    }
    const other = solanaWallet()
    const text = messageFor(other)
    for (const signature of ['A'.repeat(86), other.sign(`${text}.`)])
      expect((await send('solana', text, signature)).json()).toMatchObject({ error: 'invalid_grant' })
  })

  test('a banned wallet is refused, and the limit is thirty tries in five minutes', async () => {
    const wallet = solanaWallet()
    const { user } = (await signIn(wallet)).json()
    await db
      .updateTable('users')
      .set({ bannedUntil: inMinutes(1) })
      .where('id', '=', user.id)
      .execute()
    expect((await signIn(wallet, messageFor(wallet, { issuedAt: inMinutes(-1) }))).json().code).toBe('user_banned')
    const codes = await Promise.all(Array.from({ length: 29 }, async () => (await send('solana', 'x', 'x')).statusCode))
    expect([codes.filter((code) => code === 429).length, codes.filter((code) => code === 400).length]).toEqual([1, 28])
  })
})
