import { createHash } from 'node:crypto'
import { allowedTarget } from '#app/auth/protocol/redirect-target.server.ts'
import { refuse, refuseGrant } from '#app/auth/protocol/refusal.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { env, isLoopback } from '#app/platform/env.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import type { OpenSession } from '#app/auth/sessions/session.server.ts'
import { enterAs, type External } from './account.server.ts'
import { orRefuse, startFor } from './entered.server.ts'
import { type Chain, readSignedMessage, type SignedMessage } from './signed-message.ts'

const LEAST_BYTES = 64
const MOST_BYTES = 20 * 1024
const MOST_AGE_MS = 600_000

const enabled: Record<Chain, boolean> = { ethereum: env.EXTERNAL_WEB3_ETHEREUM_ENABLED, solana: env.EXTERNAL_WEB3_SOLANA_ENABLED }

const names: Record<Chain, string> = { ethereum: 'Ethereum', solana: 'Solana' }
const signatureTexts: Record<Chain, string> = {
  ethereum: 'signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string',
  solana: 'signature must be 64 bytes encoded as base64 with or without padding',
}

/** Signs in by a wallet's signature of a recent message for this site, which works only once. */
export async function signInByWallet(chain: string | undefined, text: string, signature: string, client: Client): Promise<OpenSession> {
  if (chain !== 'ethereum' && chain !== 'solana') refuse('web3_unsupported_chain')
  if (!enabled[chain]) refuse('web3_provider_disabled', { sentence: `${names[chain]} Web3 provider is disabled` })
  const bytes = Buffer.byteLength(text)
  if (bytes < LEAST_BYTES) refuse('validation_failed', { sentence: 'message is too short' })
  if (bytes > MOST_BYTES) refuse('validation_failed', { sentence: 'message must not exceed 20KB' })
  if (!isSignature(signature, chain)) refuse('validation_failed', { sentence: signatureTexts[chain] })
  const message = readSignedMessage(text, chain)
  if (!message) refuse('validation_failed', { sentence: 'message is not a valid sign-in message' })
  // Loading the curves would delay the start, and few installations need them.
  const { hasSigned } = await import('./wallet-signature.server.ts')
  if (!hasSigned(message.address, text, signature, chain)) refuseGrant('invalid_grant', 'Signature does not match address in message')
  allowPlace(message)
  allowTime(message)
  const spent = { signatureHash: hashOf(chain, message, text), expiresAt: new Date(message.issuedAt.getTime() + MOST_AGE_MS) }
  const external = externalOf(chain, message)
  const outcome = await enterAs(external, async (trx, entered) => {
    await spend(trx, spent)
    return startFor(trx, entered, external, 'web3', client)
  })
  return orRefuse(outcome)
}

/** The wallet shows its user the site, so messages for other sites are refused. */
function allowPlace({ uri, domain }: SignedMessage) {
  const url = new URL(uri)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    refuseGrant('invalid_grant', 'Signed message is using a URI that is not https')
  }
  if (url.host !== domain.toLowerCase() || !allowedTarget(uri)) {
    refuseGrant('invalid_grant', 'Signed message is using URI which is not allowed on this server, message was signed for another app')
  }
}

function allowTime({ issuedAt, expiresAt, notBefore }: SignedMessage) {
  const now = Date.now()
  if (notBefore && now < notBefore.getTime()) refuseGrant('invalid_grant', 'Signed message becomes valid in the future')
  if (expiresAt && now >= expiresAt.getTime()) refuseGrant('invalid_grant', 'Signed message is expired')
  if (now - issuedAt.getTime() > MOST_AGE_MS) refuseGrant('invalid_grant', 'Signed message was issued too long ago')
  if (issuedAt.getTime() - now > MOST_AGE_MS) refuseGrant('invalid_grant', 'Signed message was issued too far in the future')
}

/** Hashes the message, not the signature: signatures are malleable, so another valid one exists. */
function hashOf(chain: Chain, { address }: SignedMessage, text: string): Buffer {
  return createHash('sha256')
    .update(`${chain}:${nameOf(chain, address)}:${text}`)
    .digest()
}

async function spend(trx: Trx, spent: { signatureHash: Buffer; expiresAt: Date }): Promise<void> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('spentSignatures')
    .values(spent)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) refuseGrant('invalid_grant', 'Signed message has been used already')
}

function externalOf(chain: Chain, { address, chainId, domain, statement }: SignedMessage): External {
  const subject = `web3:${chain}:${nameOf(chain, address)}`
  const claims = { address, chain, network: chainId ?? null, domain, statement: statement?.slice(0, 300) ?? null }
  const data = { sub: subject, custom_claims: claims }
  return { provider: 'web3', subject, email: undefined, emailVerified: false, needsEmail: false, data }
}

/** The canonical spelling: capitals in an Ethereum address are only a checksum. */
function nameOf(chain: Chain, address: string): string {
  return chain === 'ethereum' ? address.toLowerCase() : address
}

const shapes = { ethereum: /^0x[\da-f]{130}$/i, solana: /^[\w+/-]{86}(==)?$/ }

/** Whether the signature has the chain's format. */
function isSignature(signature: string, chain: Chain): boolean {
  return shapes[chain].test(signature)
}
