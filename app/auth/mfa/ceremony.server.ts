import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { relyingParty } from './relying-party.server.ts'

/** EdDSA, ES256 and RS256: every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257]
const CHALLENGE_BYTES = 32
/** The limit of the standard. */
const MOST_ID_BYTES = 1023
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']
const NO_MODEL = '00000000-0000-0000-0000-000000000000'

/** Loaded on demand, because the library is large and few requests need it. It needs a polyfill that a bundle would run too late. */
async function library() {
  await import('reflect-metadata')
  return import('@simplewebauthn/server')
}

async function helpers() {
  await import('reflect-metadata')
  return import('@simplewebauthn/server/helpers')
}

type StoredKey = { credentialId: Uint8Array; publicKey: Uint8Array; transports: string[] }
type KnownId = Pick<StoredKey, 'credentialId' | 'transports'>

/** A key from a new registration. `signCount` stays 0 with authenticators that do not count. */
export type NewKey = StoredKey & { signCount: number; aaguid: string | null; backupEligible: boolean; backedUp: boolean }

/** The verified data of a signature. */
export type KeyUse = { signCount: number; backupEligible: boolean; backedUp: boolean }

const base64url = z
  .string()
  .regex(/^[\w-]+$/)
  .max(20_000)

const registration = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: base64url, attestationObject: base64url, transports: z.array(z.string()).max(20).nullish() }),
})

const assertion = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url, userHandle: base64url.nullish() }),
})

export type Assertion = z.infer<typeof assertion>

export function newChallenge(): Buffer {
  return randomBytes(CHALLENGE_BYTES)
}

type Holder = { handle: string; name: string; displayName: string }
type Creation = { challenge: Buffer; holder: Holder; known: KnownId[]; isPasskey: boolean }

/** Options for a new key, as the standard's JSON. A passkey is discoverable without an address, and its authenticator verifies the user. */
export async function creationOptions({ challenge, holder, known, isPasskey }: Creation) {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: relyingParty.name,
    rpID: relyingParty.id,
    challenge: new Uint8Array(challenge),
    userID: new TextEncoder().encode(holder.handle),
    userName: holder.name,
    userDisplayName: holder.displayName,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: isPasskey
      ? { residentKey: 'required', userVerification: 'required' }
      : { residentKey: 'discouraged', userVerification: 'preferred' },
  })
  return { ...options }
}

/** Options for a signature by one of these keys, or by any passkey for this site. */
export async function requestOptions(challenge: Buffer, keys?: KnownId[]) {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge: new Uint8Array(challenge),
    userVerification: keys ? 'preferred' : 'required',
    ...(keys && { allowCredentials: keys.map(toDescriptor) }),
  })
  return { ...options }
}

/** Returns the new key in a response to this challenge, or nothing if any part is wrong. */
export async function readNewKey(answer: unknown, challenge: Uint8Array, { verified }: { verified: boolean }): Promise<NewKey | undefined> {
  const read = registration.safeParse(answer)
  if (!read.success || !(await isPlain(read.data.response.attestationObject))) return undefined
  const { verifyRegistrationResponse } = await library()
  const { transports, ...response } = read.data.response
  const outcome = await orNothing(() =>
    verifyRegistrationResponse({
      response: { ...read.data, response, clientExtensionResults: {} },
      expectedChallenge: toText(challenge),
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: verified,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!outcome?.verified || isFramed(response.clientDataJSON)) return undefined
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = outcome.registrationInfo
  const credentialId = Buffer.from(credential.id, 'base64url')
  if (credentialId.length > MOST_ID_BYTES) return undefined
  return {
    credentialId,
    publicKey: credential.publicKey,
    signCount: credential.counter,
    aaguid: aaguid === NO_MODEL ? null : aaguid,
    transports: TRANSPORTS.filter((name) => transports?.includes(name)),
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  }
}

/** Parses a signature response of a browser. */
export function readAssertion(answer: unknown): Assertion | undefined {
  return assertion.safeParse(answer).data
}

/** Verifies a signature of this challenge; returns nothing if any part is wrong. `noteUse` checks the counter. */
export async function readUse(
  { response: { userHandle: _handle, ...response }, ...given }: Assertion,
  { credentialId, publicKey }: StoredKey,
  challenge: Uint8Array,
  { verified }: { verified: boolean },
): Promise<KeyUse | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const outcome = await orNothing(() =>
    verifyAuthenticationResponse({
      response: { ...given, response, clientExtensionResults: {} },
      expectedChallenge: toText(challenge),
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      credential: { id: toText(credentialId), publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: verified,
    }),
  )
  if (!outcome?.verified || isFramed(response.clientDataJSON)) return undefined
  const { newCounter, credentialDeviceType, credentialBackedUp } = outcome.authenticationInfo
  return { signCount: newCounter, backupEligible: credentialDeviceType === 'multiDevice', backedUp: credentialBackedUp }
}

/**
 * Whether a new key has no attestation of its maker, as requested. Checking any other attestation would fetch URLs from certificates that
 * the sender controls.
 */
async function isPlain(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await helpers()
  const decoded = await orNothing(async () => decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url'))))
  if (!decoded) return false
  const isSelfSigned = decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined
  return decoded.get('fmt') === 'none' || isSelfSigned
}

const clientData = z.object({ crossOrigin: z.boolean().optional() })

/** Our pages never run in a frame of another site. */
function isFramed(clientDataJSON: string): boolean {
  const read = clientData.safeParse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()))
  return !read.success || read.data.crossOrigin === true
}

/** The library throws on any invalid client data. */
async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}

function toDescriptor({ credentialId, transports }: KnownId) {
  return { id: toText(credentialId), transports }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
