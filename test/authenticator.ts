import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { z } from 'zod'

const creation = z.object({
  rp: z.object({ id: z.string() }),
  user: z.object({ id: z.string(), name: z.string() }),
  challenge: z.string(),
  excludeCredentials: z.array(z.object({ id: z.string() })).optional(),
})
const request = z.object({ rpId: z.string(), challenge: z.string() })

/** Deviations of a faulty or forged authenticator. */
export type Twist = {
  origin?: string
  rpId?: string
  challenge?: string
  crossOrigin?: boolean
  /** Whether it verified its user: by fingerprint, face or PIN. */
  verified?: boolean
  count?: number
  backupEligible?: boolean
  userHandle?: string
  format?: string
  statement?: [string, Cbor][]
  algorithm?: number
  credentialId?: Buffer
}

type AuthenticatorOptions = {
  /** Whether it counts its signatures. */ counts?: boolean
  synced?: boolean
  aaguid?: string
  transports?: string[]
}

/** A software authenticator: it creates one key per registration, and signs with the last one. */
export function softAuthenticator({ counts = false, synced = false, aaguid = '', transports = ['internal'] }: AuthenticatorOptions = {}) {
  let key = newKey()
  let count = 0

  function authenticatorData(rpId: string, twist: Twist, attested?: Buffer) {
    const { verified = true, backupEligible = synced } = twist
    const flags = 0x01 | (verified ? 0x04 : 0) | (backupEligible ? 0x08 : 0) | (synced && backupEligible ? 0x10 : 0) | (attested ? 0x40 : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(twist.count ?? (counts ? ++count : 0))
    return Buffer.concat([sha256(twist.rpId ?? rpId), Buffer.of(flags), counter, attested ?? Buffer.alloc(0)])
  }

  return {
    /** Creates a key, in the format of `navigator.credentials.create`. */
    create(options: unknown, twist: Twist = {}) {
      const { rp, user, challenge } = creation.parse(options)
      key = { ...newKey(), userHandle: user.id, ...(twist.credentialId && { id: twist.credentialId }) }
      const clientData = clientDataOf('webauthn.create', challenge, twist)
      const model = Buffer.from(aaguid.replaceAll('-', '').padStart(32, '0'), 'hex')
      const length = Buffer.alloc(2)
      length.writeUInt16BE(key.id.length)
      const data = authenticatorData(rp.id, twist, Buffer.concat([model, length, key.id, cbor(key.cose(twist.algorithm))]))
      const { format = 'none', statement = [] } = twist
      const attestation = cbor([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', data],
      ])
      const response = { clientDataJSON: text(clientData), attestationObject: text(attestation), transports }
      return { ...answerOf(key.id), response }
    },

    /** Signs with the last key, in the format of `navigator.credentials.get`. */
    get(options: unknown, twist: Twist = {}) {
      const { rpId, challenge } = request.parse(options)
      const clientData = clientDataOf('webauthn.get', challenge, twist)
      const data = authenticatorData(rpId, twist)
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), key.privateKey)
      const response = {
        clientDataJSON: text(clientData),
        authenticatorData: text(data),
        signature: text(signature),
        userHandle: twist.userHandle ?? key.userHandle,
      }
      return { ...answerOf(key.id), response }
    },
  }
}

function newKey(): { privateKey: KeyObject; cose: (algorithm?: number) => [number, Cbor][]; id: Buffer; userHandle: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = (algorithm = -7): [number, Cbor][] => [
    [1, 2],
    [3, algorithm],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]
  return { privateKey, cose, id: randomBytes(32), userHandle: '' }
}

function answerOf(id: Buffer) {
  return {
    id: text(id),
    rawId: text(id),
    type: 'public-key' as const,
    clientExtensionResults: {},
    authenticatorAttachment: 'platform' as const,
  }
}

function clientDataOf(type: string, challenge: string, twist: Twist): Buffer {
  const { origin = 'http://localhost:3000', crossOrigin = false } = twist
  return Buffer.from(JSON.stringify({ type, challenge: twist.challenge ?? challenge, origin, crossOrigin }))
}

/** A map is a list of its pairs, because CBOR preserves their order. */
type Cbor = number | string | Buffer | [number | string, Cbor][]

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.length), ...value.flatMap(([name, held]) => [cbor(name), cbor(held)])])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.of((major << 5) | length)
  return length < 256 ? Buffer.of((major << 5) | 24, length) : Buffer.of((major << 5) | 25, length >> 8, length & 255)
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url')
}
