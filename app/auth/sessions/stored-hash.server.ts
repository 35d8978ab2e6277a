import { argon2, createCipheriv, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const deriveArgon2 = promisify(argon2)
const deriveScrypt = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)

export const OWN_COST = { algorithm: 'argon2id', memory: 19_456, passes: 2, lanes: 1 } as const

export type StoredHash = { matches: (password: string) => Promise<boolean>; isOwn: boolean }

/**
 * Reads our own hash or one from another service: argon2 as a PHC string, bcrypt, the scrypt of Firebase. Returns nothing for other text,
 * and for a hash so costly that comparing it would hold up other requests.
 */
export function readHash(hash: string): StoredHash | undefined {
  for (const read of [readArgon2, readBcrypt, readFirebase]) {
    const known = read(hash)
    if (known) return known
  }
  return undefined
}

export type Argon2 = { algorithm: 'argon2i' | 'argon2id'; salt: Uint8Array; memory: number; passes: number; lanes: number }

export function hashArgon2(password: string, { algorithm, salt, memory, passes, lanes }: Argon2, length: number): Promise<Buffer> {
  return deriveArgon2(algorithm, { message: password, nonce: salt, memory, passes, parallelism: lanes, tagLength: length })
}

const MOST_MEMORY_KIB = 131_072
/** Memory times passes: about ten times the work of our own hashes. */
const MOST_ARGON2_WORK = 400_000
const MOST_LANES = 16

function readArgon2(hash: string): StoredHash | undefined {
  const parts = /^\$(argon2id?)\$v=19\$m=(\d{1,7}),t=(\d{1,4}),p=(\d{1,3})\$([\w+/]{11,86})=*\$([\w+/]{6,172})=*$/.exec(hash)
  if (!parts) return undefined
  const [, name, memory, passes, lanes, salt = '', sum = ''] = parts
  const cost = {
    algorithm: name === 'argon2i' ? ('argon2i' as const) : ('argon2id' as const),
    salt: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
  }
  if (cost.memory > MOST_MEMORY_KIB || cost.memory * cost.passes > MOST_ARGON2_WORK || cost.lanes > MOST_LANES) return undefined
  if (cost.lanes < 1 || cost.passes < 1 || cost.memory < 8 * cost.lanes || cost.salt.length < 8) return undefined
  const tag = Buffer.from(sum, 'base64')
  const isOwn = cost.algorithm === OWN_COST.algorithm && cost.memory === OWN_COST.memory && cost.passes === OWN_COST.passes
  return { isOwn, matches: async (password) => areSame(await hashArgon2(password, cost, tag.length), tag) }
}

/** Each step doubles the work, which runs on the main thread in slices of a tenth of a second. */
const MOST_BCRYPT_COST = 12

function readBcrypt(hash: string): StoredHash | undefined {
  const cost = Number(/^\$2[aby]\$(\d\d)\$[./A-Za-z\d]{53}$/.exec(hash)?.[1])
  if (!(cost >= 4 && cost <= MOST_BCRYPT_COST)) return undefined
  return { isOwn: false, matches: async (password) => (await import('bcryptjs')).compare(password, hash) }
}

const MOST_SCRYPT_BYTES = 67_108_864
const MOST_SCRYPT_LANES = 4

const FIREBASE =
  /^\$fbscrypt\$v=1,n=(\d{1,2}),r=(\d{1,3}),p=(\d{1,2})(?:,ss=([\w+/=-]{1,64}))?,sk=([\w+/=-]{1,256})\$([\w+/=-]{1,128})\$([\w+/=-]{1,256})$/

/** Firebase derives a key from the password with scrypt, encrypts the project's own key with it, and stores the result. */
function readFirebase(hash: string): StoredHash | undefined {
  const parts = FIREBASE.exec(hash)
  if (!parts) return undefined
  const [, exponent, blocks, lanes, separator = '', signer = '', salt = '', sum = ''] = parts
  const [N, r, p] = [2 ** Number(exponent), Number(blocks), Number(lanes)]
  const bytes = 128 * N * r
  if (N < 2 || r < 1 || p < 1 || bytes > MOST_SCRYPT_BYTES || p > MOST_SCRYPT_LANES) return undefined
  const salted = Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(separator, 'base64')])
  return {
    isOwn: false,
    async matches(password) {
      const key = await deriveScrypt(password, salted, 32, { N, r, p, maxmem: 2 * bytes + 1_048_576 })
      const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
      return areSame(Buffer.concat([cipher.update(Buffer.from(signer, 'base64')), cipher.final()]), Buffer.from(sum, 'base64'))
    },
  }
}

function areSame(found: Buffer, kept: Buffer): boolean {
  return found.length === kept.length && timingSafeEqual(found, kept)
}
