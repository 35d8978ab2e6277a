import { currentAccounts } from '#app/auth/users/account.server.ts'
import type { Email } from '#app/mail/email.server.ts'
import { emailJob } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import type { Row } from '#db/tables.ts'

/** Emails of a subscription go to the billing addresses of its organization, and to the person who bought it. */
export async function emailSubscribers(
  trx: Trx,
  { organizationId, userId }: Pick<Row<'subscriptions'>, 'organizationId' | 'userId'>,
  write: (to: string) => Email,
  /** Sent once for it, however often this is called. */
  once?: string,
): Promise<void> {
  const organization = await trx.selectFrom('organizations').select('billingEmails').where('id', '=', organizationId).executeTakeFirst()
  const buyer = userId
    ? await currentAccounts(trx).select('accounts.email').where('accounts.id', '=', userId).executeTakeFirst()
    : undefined
  const written = organization?.billingEmails.split(/[,;\s]+/) ?? []
  const addresses = new Set([...written, buyer?.email ?? ''].map((address) => address.trim().toLowerCase()).filter(Boolean))
  const jobs = [...addresses].map((to) => ({ ...emailJob(write(to)), ...(once && { dedupeKey: `${once}:${to}` }) }))
  if (jobs.length > 0) await enqueue(trx, ...jobs)
}
