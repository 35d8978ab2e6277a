import { z } from 'zod'
import { accountKey } from '#app/mail/budget.server.ts'
import { type AcceptedEmail, acceptMessage, type EmailRequester, mayLeave } from '#app/auth/tokens/mail-budget.server.ts'
import type { Brought } from '#app/auth/tokens/brought.server.ts'
import { issueToken, type TokenKind } from '#app/auth/tokens/one-time-token.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { notingLimit } from '#app/auth/users/refused.server.ts'
import { hasSignedInFrom } from '#app/auth/users/familiar-network.server.ts'
import { findUserByPhone, lockByPhone, type User } from '#app/auth/users/user.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { sendPhoneCode } from '#app/mail/sender.server.ts'

type Kind = 'confirmation' | 'phone_change' | 'reauthentication'
/** A message to send after the transaction that stores its code. */
export type ReadyCode = { kind: Kind; phone: string; code: string; userId: string }

const JOB = 'phone-code'
const accepted = z.object({ visitor: z.string(), customer: z.string() })
const again = z.object({
  kind: z.enum(['confirmation', 'phone_change', 'sign-in']),
  phone: z.string(),
  accepted: accepted.optional(),
  channel: z.enum(['sms', 'whatsapp']).optional(),
})
type Again = z.infer<typeof again>

const sentColumn = {
  confirmation: 'confirmationSentAt',
  phone_change: 'phoneChangeSentAt',
  reauthentication: 'reauthenticationSentAt',
} as const

/** Creates the code for a phone and stores the time. `token` is the kind of its token, by default `kind`. */
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

type Sending = { undo?: (() => Promise<void>) | undefined; channel?: 'sms' | 'whatsapp' | undefined }

/** Sends the message within the request, so a failure can be reported. `undo` then allows another request immediately. */
export async function sendOrRefuse({ phone, code, userId }: ReadyCode, { undo, channel = 'sms' }: Sending): Promise<void> {
  if (await sendPhoneCode({ phone, code, userId, channel })) return
  await undo?.()
  refuse('sms_send_failed')
}

/**
 * Requests a message again, or one to sign in. The requester may be a stranger, so the code proves the number but sets no sign-up data. A
 * job looks up the account, so the response does not show whether the number has one.
 */
export async function requestCodeAgain(kind: Again['kind'], phone: string, from: EmailRequester): Promise<void> {
  if (!env.EXTERNAL_PHONE_ENABLED) refuse('phone_provider_disabled')
  const state = await notingLimit(limitedMessage(phone, from), () => acceptMessage(budgetOf(kind), phone, from))
  await enqueueCode(kind, phone, state)
}

/** For the audit log: a limit stopped a message to a phone. */
export function limitedMessage(phone: string, { address }: EmailRequester) {
  const findSubject = async () => (await findUserByPhone(db, phone))?.id
  return { kind: 'message', account: accountKey(phone), findSubject, address } as const
}

/** For an accepted request. */
export async function enqueueCode(kind: Again['kind'], phone: string, state: AcceptedEmail, channel?: Again['channel']): Promise<void> {
  await enqueue(db, { kind: JOB, payload: { kind, phone, accepted: state, ...(channel && { channel }) } satisfies Again })
}

function budgetOf(kind: Again['kind']) {
  return kind === 'sign-in' ? 'confirmation' : kind
}

// No retry: a message with an expired code would only confuse.
defineJob(
  JOB,
  again,
  async (asked) => {
    const ready = await transaction((trx) => prepareAgain(trx, asked))
    const { channel } = asked
    if (ready) await sendPhoneCode({ ...ready, ...(channel && { channel }) })
    return {}
  },
  { keepDays: 1 },
)

async function prepareAgain(trx: Trx, { kind, phone, accepted: state }: Again): Promise<ReadyCode | undefined> {
  const user = await lockByPhone(trx, phone)
  if (!user || !isWanted(user, kind)) return undefined
  const isFamiliar = () => hasSignedInFrom(trx, user.id, state?.visitor ?? '')
  if (state && !(await mayLeave('message', budgetOf(kind), user.id, state, isFamiliar))) return undefined
  if (kind === 'sign-in') return preparePhoneCode(trx, user, 'confirmation', phone, { token: 'address' })
  if (kind === 'phone_change') return user.newPhone ? preparePhoneCode(trx, user, kind, user.newPhone) : undefined
  return preparePhoneCode(trx, user, kind, phone, { token: 'address' })
}

function isWanted({ newPhone, phoneConfirmedAt }: User, kind: Again['kind']): boolean {
  if (kind === 'sign-in') return true
  return kind === 'phone_change' ? newPhone !== null : phoneConfirmedAt === null
}
