import { z } from 'zod'
import { post } from '#app/mail/outbox.server.ts'
import { db, transaction } from '#app/platform/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { audit } from '#app/identity/audit.server.ts'
import { confirmAddressLetter } from '#app/identity/confirm-address.email.tsx'
import { spendLetter } from '#app/identity/mail-budget.server.ts'
import { issueToken } from '#app/identity/one-time-token.server.ts'
import { resetPasswordLetter } from '#app/identity/reset-password.email.tsx'
import { findUserByEmail } from '#app/identity/user.server.ts'

const JOB = 'account-letter'
/** `target` is where its link may lead to in the end. */
const wish = z.object({ kind: z.enum(['confirmation', 'recovery']), email: z.string(), target: z.string().optional() })

type Wish = z.infer<typeof wish>

/**
 * Asks for a letter to whoever has the account of an address. Whether there is one is looked up afterwards, by the worker, so the
 * request tells nothing about it, not even by the time that it takes.
 */
export async function requestAccountLetter({ kind, email, target }: Wish): Promise<void> {
  await spendLetter(kind, email)
  await enqueue(db, { kind: JOB, payload: { kind, email, ...(target && { target }) } satisfies Wish })
}

// Nothing is kept of it: addresses without an account are none of our business.
defineJob(JOB, wish, async (asked) => (await write(asked), {}), { keepDays: 1 })

async function write({ kind, email, target }: Wish): Promise<void> {
  await transaction(async (trx) => {
    const user = await findUserByEmail(trx, email)
    if (!user?.email) return
    if (kind === 'recovery') {
      await trx.updateTable('users').set({ recoverySentAt: new Date() }).where('id', '=', user.id).execute()
      await audit(trx, 'user_recovery_requested', { subjectId: user.id })
      const secrets = await issueToken(trx, user.id, 'recovery', user.email)
      await post(trx, resetPasswordLetter(user.email, { ...secrets, ...(target && { target }) }))
    } else if (!user.emailConfirmedAt) {
      await trx.updateTable('users').set({ confirmationSentAt: new Date() }).where('id', '=', user.id).execute()
      await audit(trx, 'user_confirmation_requested', { subjectId: user.id })
      const secrets = await issueToken(trx, user.id, 'confirmation', user.email)
      await post(trx, confirmAddressLetter(user.email, { ...secrets, ...(target && { target }) }))
    }
  })
}
