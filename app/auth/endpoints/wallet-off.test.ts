import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { authClient } from '#test/auth.ts'
import { ethereumWallet, messageFor, solanaWallet } from '#test/wallet.ts'

const call = authClient(await startApp())

test.each([ethereumWallet, solanaWallet])('wallets sign in only when enabled', async (make) => {
  const wallet = make()
  const message = messageFor(wallet)
  const reply = await call('POST', '/token?grant_type=web3', { chain: wallet.chain, message, signature: wallet.sign(message) })
  expect([reply.statusCode, reply.json()]).toEqual([422, { code: 'web3_provider_disabled', message: 'Web3 provider is disabled' }])
})
