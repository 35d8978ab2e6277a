import type { Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { emitWebhook } from '#app/platform/jobs/webhook-event.server.ts'
import type { WebhookEvent } from '#app/platform/jobs/webhook-event.ts'
import type { Row } from '#db/tables.ts'
import { netOf } from './proposal.ts'
import { readSigned } from './signed-document.ts'

type ProposalEvent = Extract<WebhookEvent, `proposal.${string}`>

/** Tells other programs of a version. Amounts are in the smallest unit of the currency. */
export async function emitProposal(trx: Trx, type: ProposalEvent, row: Row<'proposals'>): Promise<void> {
  await emitWebhook(trx, type, async () => {
    const { id, reference, number, content, contactId, reason } = row
    const lead = contactId
      ? await trx.selectFrom('contacts').select(['id', 'reference']).where('id', '=', contactId).executeTakeFirst()
      : undefined
    const { net } = row.signedDocument === null ? { net: netOf(content) } : readSigned(row.signedDocument)
    const url = lead ? `${env.SITE_URL}/leads/${lead.reference}/proposal` : null
    return [
      {
        subjectId: contactId ?? id,
        data: { id, reference, number, title: content.title, currency: content.currency, net, reason, lead, url },
      },
    ]
  })
}
