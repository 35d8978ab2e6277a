import { randomUUID } from 'node:crypto'
import { insert, newId, type Trx } from '#app/platform/db.server.ts'
import { mac } from '#app/platform/keys.server.ts'
import { isProven } from './proven.server.ts'
import type { Known, Metadata, User } from './user.server.ts'
import type { OwnProvider } from './user-identity.server.ts'

/** The one address that an account begins with. */
export type Address = { email: string; phone?: undefined } | { phone: string; email?: undefined }

/** `passwordHash` is null where someone signs in by letters or messages alone. */
export type NewUser = Address & { passwordHash: string | null; passwordShort: boolean; data: Metadata; confirmed: boolean }

/**
 * Makes an account that signs in by its address, or answers `undefined` when the address has one. `confirmed` is by the settings, so the address counts
 * as assumed. The id shows no time: `pretendUser` has to look the same.
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

/** What an account begins with, whoever makes it. Phone numbers are digits alone. */
export type FirstColumns = {
  id?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  passwordHash?: string | null | undefined
  passwordShort?: boolean
  emailConfirmed?: boolean
  phoneConfirmed?: boolean
  /** Confirmed by a setting, without a proof. */
  assumed?: boolean
  confirmationSentAt?: Date | null
  userMetadata?: Metadata
  appMetadata?: Metadata
  tokenRole?: string | undefined
  bannedUntil?: Date | null
}

/** The row of an account that signs in by addresses of ours, or `undefined` when its id or one of them has an account. */
export function insertUser(trx: Trx, { email, phone, ...first }: FirstColumns): Promise<User | undefined> {
  const providers = [...(email ? ['email'] : []), ...(phone ? ['phone'] : [])]
  const now = new Date()
  return trx
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
}

/** Makes an account without any way to sign in to it again. */
export async function createAnonymousUser(trx: Trx, data: Metadata): Promise<User> {
  return insert(trx, 'users', { isAnonymous: true, userMetadata: JSON.stringify(data) })
}

/**
 * A user who looks as if they had just been made: the same for a new address and for one that has an account. The id is that of `known` while nobody has proven
 * the address, so that a program finds the account again by it; else it is made of the address. Either stays the same when asked again.
 */
export function pretendUser(address: Address, data: Metadata, known?: User): Known {
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
  const own = { id: newId(), userId: id, provider, providerId: id, identityData: profile, email: user.email }
  return { user, identities: [{ ...own, lastSignInAt: now, createdAt: now, updatedAt: now }] }
}

/** Ids of other accounts begin with the time at which they were made. */
const MADE_BY_SIGN_UP = /^.{14}4/

/** A UUID of version 4 by its form. */
function pretendedId(address: string): string {
  const bytes = mac('pretended-id', address.toLowerCase()).subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function providerOf({ email }: Address): OwnProvider {
  return email === undefined ? 'phone' : 'email'
}

function onlyProvider(provider: OwnProvider) {
  return { provider, providers: [provider] }
}

/** Reserved keys win over what the caller sent. */
export function profileOf(sub: string, { email, phone }: Address, data: Metadata, verified: boolean): Metadata {
  if (email !== undefined) return { ...data, sub, email, email_verified: verified, phone_verified: false }
  return { ...data, sub, phone, email_verified: false, phone_verified: verified }
}

const noUser = {
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
}
