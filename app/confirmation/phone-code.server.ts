import { z } from 'zod'
import { forgiveMessage, spendMessage } from '#app/account-letter/mail-budget.server.ts'
import type { Brought } from '#app/one-time-token/brought.server.ts'
import { issueToken, type TokenKind } from '#app/one-time-token/one-time-token.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { findUserByPhone, type User } from '#app/identity/user.server.ts'
import { db, transaction, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { sendPhoneCode } from '#app/sms/sender.server.ts'

type Kind = 'confirmation' | 'phone_change' | 'reauthentication'
/** A message that is ready to go; it must leave after the transaction that its code was kept in. */
export type ReadyCode = { kind: Kind; phone: string; code: string; userId: string }

const JOB = 'phone-code'
const again = z.object({ kind: z.enum(['confirmation', 'phone_change', 'sign-in']), phone: z.string() })

const sentColumn = {
  confirmation: 'confirmationSentAt',
  phone_change: 'phoneChangeSentAt',
  reauthentication: 'reauthenticationSentAt',
} as const

/** Makes the code for a phone and notes when. `token` is the kind of its token, where another one than usual is asked for. */
export async function preparePhoneCode(
  trx: Trx,
  { id }: User,
  kind: Kind,
  phone: string,
  { brought, token = kind }: { brought?: Partial<Brought>; token?: TokenKind } = {},
): Promise<ReadyCode> {
  await trx
    .updateTable('users')
    .set({ [sentColumn[kind]]: new Date() })
    .where('id', '=', id)
    .execute()
  const { code } = await issueToken(trx, id, token, phone, { brought })
  return { kind, phone, code, userId: id }
}

/** Sends it while whoever asked is waiting: they hear when it could not be sent, and may ask again at once. */
export async function sendOrRefuse({ kind, ...message }: ReadyCode, channel: 'sms' | 'whatsapp' = 'sms'): Promise<void> {
  if (await sendPhoneCode({ ...message, channel })) return
  await forgiveMessage(kind, message.phone)
  refuse('sms_send_failed')
}

/**
 * Asks for a message once more, or for one that signs in. Nobody knows whose sign-up this is, so the code proves the number and installs nothing.
 * Whether the number has an account, and whether it waits for a code, is looked up afterwards, so the answer does not tell.
 */
export async function requestCodeAgain(kind: z.infer<typeof again>['kind'], phone: string): Promise<void> {
  if (!env.EXTERNAL_PHONE_ENABLED) refuse('phone_provider_disabled')
  await spendMessage(kind === 'sign-in' ? 'confirmation' : kind, phone)
  await enqueue(db, { kind: JOB, payload: { kind, phone } satisfies z.infer<typeof again> })
}

// Tried once: when it comes later than its code lives, it only confuses.
defineJob(
  JOB,
  again,
  async (asked) => {
    const ready = await transaction((trx) => prepareAgain(trx, asked))
    if (ready) await sendPhoneCode(ready)
    return {}
  },
  { keepDays: 1 },
)

async function prepareAgain(trx: Trx, { kind, phone }: z.infer<typeof again>): Promise<ReadyCode | undefined> {
  const user = await findUserByPhone(trx, phone)
  if (!user) return undefined
  if (kind === 'sign-in') return preparePhoneCode(trx, user, 'confirmation', phone, { token: 'address' })
  if (kind === 'phone_change') return user.newPhone ? preparePhoneCode(trx, user, kind, user.newPhone) : undefined
  return user.phoneConfirmedAt ? undefined : preparePhoneCode(trx, user, kind, phone, { token: 'address' })
}
