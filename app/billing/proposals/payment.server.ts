import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { listPrepayments } from '#app/billing/invoices/invoice.server.ts'
import { restOf } from '#app/billing/invoices/prepayment.ts'
import { bookSale, fulfilOrder, onPaid } from '#app/billing/orders/fulfilment.server.ts'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { shortened } from '#app/platform/text/shortened.ts'
import type { Row } from '#db/tables.ts'
import { isTest, totalsFor } from './accept.server.ts'
import { noteStart, startProject } from './project-start.server.ts'
import { lockProposal, titleOf } from './proposal.server.ts'
import { tell } from './public-proposal.server.ts'
import { readSigned, type SignedDocument } from './signed-document.ts'

type Author = Actor & { id: string }

const DAY = 86_400_000
const FINAL_DAYS = 14

onPaid('deposit', async (trx, order) => {
  const row = await proposalOf(trx, order)
  if (!row) return
  await tell(trx, row, { kind: 'deposit_paid', title: 'Deposit paid', detail: { title: amountOf(order) } })
  await startProject(trx, row)
})

onPaid('final', async (trx, order) => {
  const row = await proposalOf(trx, order)
  if (row) await tell(trx, row, { kind: 'final_paid', title: 'Final payment received', detail: { title: amountOf(order) } })
})

// The revenue of the whole is booked with the final payment: what was prepaid becomes revenue.
bookSale('final', async (trx, { proposalId, net, tax, gross }) => {
  const prepaid = proposalId ? await listPrepayments(trx, proposalId) : []
  const before = prepaid.reduce((sum, deposit) => sum + deposit.net, 0)
  return { receivable: gross, prepayments: before, revenue: -(net + before), tax: -tax }
})

function amountOf({ gross, currency, reference }: Row<'orders'>): string {
  return `${moneyText(gross, currency)} (${reference})`
}

async function proposalOf(trx: Trx, { proposalId }: Row<'orders'>): Promise<Row<'proposals'> | undefined> {
  return proposalId ? lockProposal(trx, proposalId) : undefined
}

/** Staff begin before the deposit is paid, and say why. */
export async function startEarly(id: string, reason: string, author: Author): Promise<void> {
  await transaction(async (trx) => {
    const row = await lockProposal(trx, id)
    if (row.state !== 'accepted') stop('conflict', 'Work begins when the proposal is accepted.', { code: 'not_accepted' })
    if (row.startedAt) stop('conflict', 'Work has begun before.', { code: 'started' })
    await noteStart(trx, row, { actorId: author.id, reason })
    await audit(trx, 'project_started', {
      ...by(author),
      subjectId: row.contactId ?? undefined,
      detail: { proposal: row.reference, reason },
    })
  })
  announceLeads()
}

/** Orders the rest at delivery, by invoice: the whole at the tax of today, less each deposit that was paid. */
export async function orderFinal(id: string, author: Author): Promise<void> {
  await transaction(async (trx) => {
    const row = await lockProposal(trx, id)
    if (row.signedDocument === null || !row.organizationId)
      return stop('conflict', 'The proposal is not accepted yet.', { code: 'not_accepted' })
    await refuseFinal(trx, row)
    const organization = await trx.selectFrom('organizations').selectAll().where('id', '=', row.organizationId).executeTakeFirstOrThrow()
    const signed = readSigned(row.signedDocument)
    const totals = await restFor(trx, row.id, signed, organization)
    if (totals.gross < 0)
      stop('conflict', 'The deposits are more than the whole costs now. Refund a part of them first.', { code: 'overpaid' })
    const order = await placeOrder(
      trx,
      {
        kind: 'final',
        organizationId: organization.id,
        userId: row.signedBy,
        title: shortened(`Final payment for ${titleOf(row)}`, 200),
        currency: signed.content.currency,
        // After a deposit of the whole, nothing is left to pay.
        method: totals.gross === 0 ? 'checkout' : 'invoice',
        proposalId: id,
        isBusiness: true,
        isTest,
        totals,
        dueAt: new Date(Date.now() + (organization.paymentDays ?? FINAL_DAYS) * DAY),
      },
      author,
    )
    if (order.gross === 0) await fulfilOrder(trx, order.id)
    await audit(trx, 'final_payment_ordered', {
      ...by(author),
      subjectId: row.contactId ?? undefined,
      detail: { proposal: row.reference, order: order.reference },
    })
    if (row.contactId)
      await noteLeadEvent(trx, { contactId: row.contactId, kind: 'final_ordered', actorId: author.id, detail: { title: amountOf(order) } })
    return undefined
  })
  announceLeads()
}

async function restFor(trx: Trx, id: string, { content, chosen, quantities }: SignedDocument, buyer: Row<'organizations'>) {
  const prepaid = await listPrepayments(trx, id)
  const withoutInvoice = await trx
    .selectFrom('orders')
    .select('id')
    .where('proposalId', '=', id)
    .where('kind', '=', 'deposit')
    .where('state', '=', 'paid')
    .where((of) => of.not(of.exists(of.selectFrom('invoices').select('id').whereRef('orderId', '=', 'orders.id'))))
    .executeTakeFirst()
  // The final invoice names the invoice of each deposit.
  if (withoutInvoice) stop('conflict', 'The deposit has no invoice yet, so it cannot be taken off.', { code: 'no_invoice' })
  return restOf(totalsFor(content, { chosen, quantities }, buyer, new Date()), prepaid)
}

async function refuseFinal(trx: Trx, { id }: Row<'proposals'>): Promise<void> {
  const orders = await trx.selectFrom('orders').select(['kind', 'state', 'reference']).where('proposalId', '=', id).execute()
  const final = orders.find(({ kind, state }) => kind === 'final' && (state === 'open' || state === 'processing' || state === 'paid'))
  if (final) stop('conflict', `The final payment was ordered before: ${final.reference}.`, { code: 'final_ordered' })
  const open = orders.find(({ kind, state }) => kind === 'deposit' && (state === 'open' || state === 'processing'))
  if (open)
    stop(
      'conflict',
      `The deposit ${open.reference} is not paid yet. Wait for it, or cancel its order: then the final payment is the whole.`,
      {
        code: 'deposit_open',
      },
    )
}
