import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { winLead } from '#app/leads/lead/stage.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { minorDigits } from '#app/platform/text/money.ts'
import { writtenForm } from '#app/platform/text/written-form.ts'
import type { Row } from '#db/tables.ts'
import { titleOf } from './proposal.server.ts'
import { readSigned } from './signed-document.ts'

type Starting = (trx: Trx, proposal: Row<'proposals'>) => Promise<void>

const starting: Starting[] = []

/** Runs once for each accepted proposal whose deposit is paid, or that has none, in the transaction of the payment: a project begins. */
export function onDepositPaid(run: Starting): void {
  starting.push(run)
}

/** The lead is won with its value, and work begins, unless staff began it before. */
export async function startProject(trx: Trx, row: Row<'proposals'>): Promise<void> {
  const { id, contactId, signedDocument, content } = row
  if (signedDocument === null) throw new Error('Only an accepted proposal starts.')
  // A lead has its value in the currency of the site.
  const isSame = content.currency === writtenForm().currency && minorDigits(content.currency) === 2
  if (contactId) await winLead(trx, contactId, isSame ? readSigned(signedDocument).net : undefined)
  if (!row.startedAt) await noteStart(trx, row, {})
  for (const run of starting) await run(trx, { ...row, id })
}

/** `reason`: of staff who begin before the deposit. */
export async function noteStart(
  trx: Trx,
  row: Row<'proposals'>,
  { actorId, reason = '' }: { actorId?: string; reason?: string },
): Promise<void> {
  await trx
    .updateTable('proposals')
    .set({ startedAt: now, startedBy: actorId ?? null, startReason: reason, updatedAt: now })
    .where('id', '=', row.id)
    .execute()
  if (!row.contactId) return
  const detail = { title: titleOf(row), ...(reason && { text: reason }) }
  await noteLeadEvent(trx, { contactId: row.contactId, kind: 'project_started', actorId, detail })
}
