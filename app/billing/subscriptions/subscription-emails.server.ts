import { recipientsOf } from '#app/billing/orders/recipients.server.ts'
import type { Email } from '#app/mail/email.server.ts'
import { emailJob } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import type { Row } from '#db/tables.ts'

/** Sends an email about a subscription to the billing addresses of its organization and to its buyer. */
export async function emailSubscribers(
  trx: Trx,
  subscription: Pick<Row<'subscriptions'>, 'organizationId' | 'userId'>,
  write: (to: string) => Email,
  /** Sent once for it, however often this is called. */
  once?: string,
): Promise<void> {
  const addresses = await recipientsOf(trx, subscription, 'too')
  const jobs = addresses.map((to) => ({ ...emailJob(write(to)), ...(once && { dedupeKey: `${once}:${to}` }) }))
  if (jobs.length > 0) await enqueue(trx, ...jobs)
}
