import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'

export type Wallet = { chain: 'ethereum' | 'solana'; address: string; sign: (message: string) => string }

/** A wallet of Ethereum with a new key. */
export function ethereumWallet(): Wallet & { signWith: (message: string, recoveryBase: number) => string } {
  const { secretKey, publicKey } = secp256k1.keygen()
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  const address = `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(-20)).toString('hex')}`
  const signWith = (message: string, recoveryBase: number) => {
    const text = Buffer.from(message)
    const digest = keccak_256(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${text.length}`), text]))
    const signed = secp256k1.sign(digest, secretKey, { prehash: false, format: 'recovered' })
    return `0x${Buffer.from([...signed.subarray(1), (signed[0] ?? 0) + recoveryBase]).toString('hex')}`
  }
  return { chain: 'ethereum', address, sign: (message) => signWith(message, 27), signWith }
}

/** A wallet of Solana with a new key; `wrap` is a device's envelope around the text. */
export function solanaWallet(): Wallet & { key: Uint8Array; signBytes: (bytes: Uint8Array) => Buffer } {
  const { secretKey, publicKey } = ed25519.keygen()
  const signBytes = (bytes: Uint8Array) => Buffer.from(ed25519.sign(bytes, secretKey))
  const address = base58.encode(publicKey)
  return { chain: 'solana', address, key: publicKey, signBytes, sign: (message) => signBytes(Buffer.from(message)).toString('base64') }
}

const names = { ethereum: 'Ethereum', solana: 'Solana' }

type Told = {
  domain?: string
  uri?: string
  issuedAt?: Date | string
  statement?: string | null
  fields?: string[]
  version?: string
  chainId?: string | null
}

/** The message that a wallet shows its holder before it signs. */
export function messageFor({ chain, address }: Wallet, told: Told = {}): string {
  const {
    domain = 'localhost:3000',
    uri = 'http://localhost:3000/login',
    statement = 'I want to sign in.',
    version = '1',
    fields = [],
  } = told
  const issuedAt = told.issuedAt ?? new Date()
  const chainId = told.chainId === undefined ? (chain === 'ethereum' ? '1' : null) : told.chainId
  return [
    `${domain} wants you to sign in with your ${names[chain]} account:`,
    address,
    '',
    ...(statement === null ? [] : [statement, '']),
    `URI: ${uri}`,
    `Version: ${version}`,
    ...(chainId === null ? [] : [`Chain ID: ${chainId}`]),
    'Nonce: 12345678',
    `Issued At: ${typeof issuedAt === 'string' ? issuedAt : issuedAt.toISOString()}`,
    ...fields,
  ].join('\n')
}
