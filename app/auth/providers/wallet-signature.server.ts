import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import type { Chain } from './signed-message.ts'

/** Whether the wallet with this address has signed the message. */
export function hasSigned(address: string, message: string, signature: string, chain: Chain): boolean {
  const text = Buffer.from(message)
  try {
    return chain === 'ethereum' ? hasEthereumSigned(address, text, signature) : hasSolanaSigned(address, text, signature)
  } catch {
    // The bytes are not a point on the curve.
    return false
  }
}

/** Recovers the key from the signature, and derives the address from the key (EIP-191, `personal_sign`). */
function hasEthereumSigned(address: string, text: Buffer, signature: string): boolean {
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const last = bytes.readUInt8(64)
  const recovery = last >= 27 ? last - 27 : last
  if (recovery > 1) return false
  const digest = keccak_256(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${text.length}`), text]))
  const key = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact').addRecoveryBit(recovery).recoverPublicKey(digest)
  const found = keccak_256(key.toBytes(false).subarray(1)).subarray(-20)
  return `0x${Buffer.from(found).toString('hex')}` === address.toLowerCase()
}

/** The address is the key. A Ledger signs the text in an envelope. */
function hasSolanaSigned(address: string, text: Buffer, signature: string): boolean {
  const key = base58.decode(address)
  const bytes = Buffer.from(signature, 'base64')
  if (key.length !== 32 || bytes.length !== 64) return false
  return [text, ...envelopes(key, text)].some((signed) => ed25519.verify(bytes, signed, key, { zip215: false }))
}

const ENVELOPE = Buffer.from('\u00ffsolana offchain\u0000', 'latin1')

/** The short form of older devices and the standard form, each with three text types. */
function envelopes(key: Uint8Array, text: Buffer): Buffer[] {
  const length = Buffer.alloc(2)
  length.writeUInt16LE(text.length)
  return [0, 1, 2].flatMap((kind) => [
    Buffer.concat([ENVELOPE, Buffer.of(kind), length, text]),
    Buffer.concat([ENVELOPE, Buffer.alloc(32), Buffer.of(kind, 1), key, length, text]),
  ])
}
