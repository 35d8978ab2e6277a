import { randomUUID } from 'node:crypto'
import { insert, newId, type Trx } from '#app/platform/database/db.server.ts'
import { mac } from '#app/platform/guard/keys.server.ts'
import { emitNewAccount } from './account-webhook.server.ts'
import { isProven } from './proven.server.ts'
import type { Known, Metadata, User } from './user.server.ts'
import type { OwnProvider } from './user-identity.server.ts'

/** The first address of an account. */
export type ProvenContact = { email: string; phone?: undefined } | { phone: string; email?: undefined }

/** `passwordHash` is null for a sign-in by email or message. */
export type NewUser = ProvenContact & { passwordHash: string | null; passwordShort: boolean; data: Metadata; confirmed: boolean }

/**
 * Creates an account that signs in by its address, or returns `undefined` if the address has one. `confirmed`: the settings confirm the
 * address without proof. The id reveals no time, because an id of `pretendUser` has to look the same.
 */
export async function createUser(trx: Trx, { data, confirmed, ...wanted }: NewUser): Promise<Known | undefined> {
  const id = randomUUID()
  const profile = profileOf(id, wanted, data, confirmed)
  const user = await insertUser(trx, {
    ...wanted,
    id,
    emailConfirmed: confirmed,
    phoneConfirmed: confirmed,
    assumed: confirmed,
    confirmationSentAt: confirmed ? null : new Date(),
    userMetadata: profile,
  })
  if (!user) return undefined
  const identityData = JSON.stringify(profile)
  const identity = await insert(trx, 'identities', {
    userId: id,
    provider: providerOf(wanted),
    providerId: id,
    email: user.email,
    identityData,
    lastSignInAt: user.createdAt,
  })
  return { user, identities: [identity] }
}

/** The first values of an account. Phone numbers are digits only. */
export type FirstColumns = {
  id?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  passwordHash?: string | null | undefined
  passwordShort?: boolean
  emailConfirmed?: boolean
  phoneConfirmed?: boolean
  /** The settings confirmed the address, without proof. */
  assumed?: boolean
  confirmationSentAt?: Date | null
  userMetadata?: Metadata
  appMetadata?: Metadata
  tokenRole?: string | undefined
  bannedUntil?: Date | null
}

/** Inserts an account that signs in by email or phone. Returns `undefined` if its id or an address is taken. */
export async function insertUser(trx: Trx, { email, phone, ...first }: FirstColumns): Promise<User | undefined> {
  const providers = [...(email ? ['email'] : []), ...(phone ? ['phone'] : [])]
  const now = new Date()
  const user = await trx
    .insertInto('users')
    .values({
      id: first.id ?? newId(),
      email: email || null,
      phone: phone || null,
      passwordHash: first.passwordHash ?? null,
      passwordShort: first.passwordShort ?? false,
      emailConfirmedAt: email && first.emailConfirmed ? now : null,
      phoneConfirmedAt: phone && first.phoneConfirmed ? now : null,
      emailAssumed: Boolean(email && first.assumed),
      phoneAssumed: Boolean(phone && first.assumed),
      confirmationSentAt: first.confirmationSentAt ?? null,
      bannedUntil: first.bannedUntil ?? null,
      tokenRole: first.tokenRole ?? 'authenticated',
      appMetadata: JSON.stringify({ ...first.appMetadata, provider: providers[0], providers }),
      userMetadata: JSON.stringify(first.userMetadata ?? {}),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  await emitNewAccount(trx, user)
  return user
}

/** Only the browser that holds its session can use this account. */
export async function createAnonymousUser(trx: Trx, data: Metadata): Promise<User> {
  return insert(trx, 'users', { isAnonymous: true, userMetadata: JSON.stringify(data) })
}

/**
 * A user in the shape of a new one, so a response does not show whether an address has an account. While the address is unproven, the id is
 * that of `known`, so that a program can find the account by it. Otherwise it is derived from the address. Both stay the same for repeated
 * requests.
 */
export function pretendUser(address: ProvenContact, data: Metadata, known?: User): Known {
  const now = new Date()
  const provider = providerOf(address)
  const id = known && !isProven(known) && MADE_BY_SIGN_UP.test(known.id) ? known.id : pretendedId(address.email ?? address.phone ?? '')
  const profile = profileOf(id, address, data, false)
  const user: User = {
    ...noUser,
    id,
    email: address.email ?? null,
    phone: address.phone ?? null,
    confirmationSentAt: now,
    appMetadata: onlyProvider(provider),
    userMetadata: profile,
    createdAt: now,
    updatedAt: now,
  }
  const own = { id: newId(), userId: id, provider, providerId: id, identityData: profile, email: user.email, joinedUnproven: false }
  return { user, identities: [{ ...own, lastSignInAt: now, createdAt: now, updatedAt: now }] }
}

/** Other accounts have ids that begin with their creation time. */
const MADE_BY_SIGN_UP = /^.{14}4/

/** Has the form of a UUID of version 4. */
function pretendedId(address: string): string {
  const bytes = mac('pretended-id', address.toLowerCase()).subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function providerOf({ email }: ProvenContact): OwnProvider {
  return email === undefined ? 'phone' : 'email'
}

function onlyProvider(provider: OwnProvider) {
  return { provider, providers: [provider] }
}

/** Reserved keys win over what the caller sent. */
export function profileOf(sub: string, { email, phone }: ProvenContact, data: Metadata, verified: boolean): Metadata {
  if (email !== undefined) return { ...data, sub, email, email_verified: verified, phone_verified: false }
  return { ...data, sub, phone, email_verified: false, phone_verified: verified }
}

const noUser = {
  cameFrom: null,
  staffSince: null,
  phone: null,
  passwordHash: null,
  passwordShort: false,
  emailConfirmedAt: null,
  phoneConfirmedAt: null,
  invitedAt: null,
  recoverySentAt: null,
  reauthenticationSentAt: null,
  newEmail: null,
  emailChangeSentAt: null,
  newPhone: null,
  phoneChangeSentAt: null,
  lastSignInAt: null,
  userMetadata: {},
  isAnonymous: false,
  tokenRole: 'authenticated',
  bannedUntil: null,
  deletedAt: null,
  emailAssumed: false,
  phoneAssumed: false,
  invitedRole: null,
  rights: [],
}
