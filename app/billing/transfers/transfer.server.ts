import { sql } from 'kysely'
import { audit, by } from '#app/auth/users/audit.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition, now, rowCount } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { UUID } from '#app/platform/text/uuid.ts'
import { isDay } from '#app/platform/time/iso-moment.ts'
import type { Row } from '#db/tables.ts'
import { applyDecision } from './apply-decision.server.ts'
import type { BankLine } from './bank-line.ts'
import { readBooks } from './books.server.ts'
import { hasTwin, TWIN } from './import-statement.server.ts'
import { type Books, type Decision, judge, type Proposal, textHas } from './matching.ts'
import type { Transfer, transferQuery } from './transfer.ts'
import type { z } from 'zod/mini'

type Actor = { id: string; address: string }
type Line = Row<'bankLines'>

/** The lines of bank statements in a state, newest first. Open ones come with their proposals, made from what is owed now. */
export async function listTransfers({ q, state, cursor, limit }: z.infer<typeof transferQuery>) {
  const rows = await db
    .selectFrom('bankLines')
    .innerJoin('bankFiles', 'bankFiles.id', 'bankLines.fileId')
    .selectAll('bankLines')
    .select(['bankFiles.name as file', 'bankFiles.format'])
    .where('bankLines.state', '=', state)
    .where(cursor ? condition`(booked_on, bank_lines.id) < (${placeOf(cursor)})` : condition`true`)
    .where(q ? condition`(payer ILIKE ${`%${q}%`} OR purpose ILIKE ${`%${q}%`} OR payer_account ILIKE ${`%${q}%`})` : condition`true`)
    .orderBy('bookedOn', 'desc')
    .orderBy('bankLines.id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const books = state === 'open' && shown.length > 0 ? await readBooks(db) : undefined
  const transfers = await Promise.all(shown.map(async ({ file, format, ...line }) => toTransfer(line, { file, format, books })))
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { transfers, open: await countOpenTransfers(), nextCursor: last ? `${last.bookedOn}_${last.id}` : null }
}

function placeOf(cursor: string) {
  const [day = '', id = ''] = cursor.split('_')
  if (!isDay(day) || !UUID.test(id)) stop('badRequest', 'There is no such page.', { code: 'bad_cursor' })
  return sql`${day}::date, ${id}::uuid`
}

export async function countOpenTransfers(): Promise<number> {
  return (await db.selectFrom('bankLines').select(rowCount.as('count')).where('state', '=', 'open').executeTakeFirstOrThrow()).count
}

type Shown = { file: string; format: 'camt' | 'csv'; books: Books | undefined }

async function toTransfer(line: Line, { file, format, books }: Shown): Promise<Transfer> {
  const { id, state, bookedOn, amount, currency, payer, payerAccount, purpose, fee, paymentId } = line
  const { reason, proposals } = books ? await proposalsFor(line, format, books) : { reason: '', proposals: [] }
  return {
    id,
    state,
    bookedOn,
    amount,
    currency,
    payer,
    payerAccount,
    purpose,
    fee,
    paymentId,
    file,
    reason,
    instructed: toBankLine(line).instructed,
    proposals: proposals.map(({ key, text }) => ({ key, text })),
  }
}

function toBankLine(line: Line): BankLine {
  const { instructedAmount, instructedCurrency, purpose } = line
  const instructed = instructedAmount !== null && instructedCurrency ? { amount: instructedAmount, currency: instructedCurrency } : null
  return { ...line, text: purpose, raw: '', instructed }
}

/** A clear match that was not booked at the import, such as a refund, is a proposal too. */
async function proposalsFor(line: Line, format: 'camt' | 'csv', books: Books): Promise<{ reason: string; proposals: readonly Proposal[] }> {
  const verdict = judge(toBankLine(line), books)
  if (verdict.kind === 'ask') return verdict
  if (verdict.kind === 'other') return { reason: 'An outgoing payment.', proposals: [] }
  const reason = (await hasTwin(toBankLine(line), format))
    ? TWIN
    : verdict.decision.kind === 'refund'
      ? 'Its reference and amount fit a refund that waits.'
      : 'Its reference and amount fit what is owed now.'
  return { reason, proposals: [{ key: 'match', text: 'Book it as its reference says', decision: verdict.decision }] }
}

/** Does what a proposal says, if it still says the same. */
export async function decide(id: string, { key, text }: { key: string; text: string }, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const { line, format } = await lockOpen(trx, id)
    const { proposals } = await proposalsFor(line, format, await readBooks(trx))
    const chosen = proposals.find((proposal) => proposal.key === key && proposal.text === text)
    if (!chosen) stop('conflict', 'What is owed has changed. Look at the new proposals.', { code: 'proposal_changed' })
    await settle(trx, line, chosen.decision, actor)
  })
}

/** Pays an order that staff name by its reference or invoice. What it does not need stays as a credit. */
export async function payWith(id: string, name: string, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const { line } = await lockOpen(trx, id)
    const { payables } = await readBooks(trx)
    const found = payables.find(({ reference, numbers }) => [reference, ...numbers].some((each) => textHas(name, each)))
    const wrong = (sentence: string) => stop('unprocessable', sentence, { errors: { order: sentence } })
    if (line.amount < 0) return wrong('An outgoing payment pays nothing')
    if (!found) return wrong('There is no such order')
    if (found.owed <= 0) return wrong('This order owes nothing')
    if (found.currency !== line.currency) return wrong(`This order is in ${found.currency}`)
    if (found.isWhole && line.amount < found.owed) return wrong('This order can only be paid whole')
    const { orderId, organizationId, owed } = found
    const { amount, currency } = line
    const allocations = [{ orderId, amount: Math.min(owed, amount) }]
    return settle(trx, line, { kind: 'book', allocations, amount, currency, fee: 0, organizationId }, actor)
  })
}

/** Says that a line is no payment of a customer, or takes that back. */
export async function setIgnored(id: string, isIgnored: boolean, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const [from, to] = isIgnored ? (['open', 'ignored'] as const) : (['ignored', 'open'] as const)
    const row = await trx
      .updateTable('bankLines')
      .set({ state: to, decidedBy: isIgnored ? actor.id : null, decidedAt: isIgnored ? now : null })
      .where('id', '=', id)
      .where('state', '=', from)
      .returning('id')
      .executeTakeFirst()
    if (!row) return stop('conflict', 'This payment was decided already.', { code: 'transfer_decided' })
    return audit(trx, 'bank_line_decided', { ...by(actor), detail: { line: id, to } })
  })
}

async function lockOpen(trx: Trx, id: string): Promise<{ line: Line; format: 'camt' | 'csv' }> {
  const line = await trx.selectFrom('bankLines').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!line) stop('notFound', 'There is no such payment.')
  if (line.state !== 'open') stop('conflict', 'This payment was decided already.', { code: 'transfer_decided' })
  const { format } = await trx.selectFrom('bankFiles').select('format').where('id', '=', line.fileId).executeTakeFirstOrThrow()
  return { line, format }
}

async function settle(trx: Trx, line: Line, decision: Decision, actor: Actor): Promise<void> {
  const paymentId = await applyDecision(trx, line, decision, actor)
  await trx
    .updateTable('bankLines')
    .set({ state: 'booked', paymentId, decidedBy: actor.id, decidedAt: now })
    .where('id', '=', line.id)
    .execute()
  await audit(trx, 'bank_line_decided', { ...by(actor), detail: { line: line.id, to: decision.kind } })
}
