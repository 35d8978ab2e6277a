import { createHash } from 'node:crypto'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { businessDay, daysLater, startOfDay } from '#app/platform/time/business-day.ts'
import { billing } from '#app/content/billing.server.ts'
import { offerings } from '#app/content/offerings.ts'
import { proposalDefaults } from '#app/content/proposals.ts'
import { proposeBy } from '#app/leads/lead/lead-status.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { type Database, db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { newReference } from '#app/platform/database/reference.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { oneLine } from '#app/platform/text/clean-text.ts'
import { minorDigits } from '#app/platform/text/money.ts'
import { isCurrency, writtenForm } from '#app/platform/text/written-form.ts'
import { shortened } from '#app/platform/text/shortened.ts'
import type { Row } from '#db/tables.ts'
import { proposalEmail } from './proposal.email.tsx'
import { emitProposal } from './proposal-event.server.ts'
import { proposalUrl } from '#app/billing/orders/proposal-link.server.ts'
import { type LeadProposals, netOf, ONE, type Proposal, type ProposalContent, proposalContent, proposalLimits } from './proposal.ts'
import { readSigned } from './signed-document.ts'

type Author = Actor & { id: string }

const UNKNOWN = 'There is no such proposal.'

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** All versions of a lead's proposals, and what a new one can begin with. */
export async function listLeadProposals(contactId: string): Promise<LeadProposals> {
  const lead = await db.selectFrom('contacts').select(['id', 'reference', 'name', 'email']).where('id', '=', contactId).executeTakeFirst()
  if (!lead) return stop('notFound', 'There is no such lead.')
  const rows = await db
    .selectFrom('proposals')
    .selectAll()
    .where('contactId', '=', contactId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { lead: { ...lead, email: lead.email ?? '' }, proposals: await toProposals(rows), offers: offers() }
}

/** The offers of the services page, as first lines. */
function offers(): LeadProposals['offers'] {
  return Object.values(offerings).map(({ id, title, covers, time, price }) => ({
    id,
    title: price.per ? `${title}, per ${price.per}` : title,
    detail: `${covers.replace(/^./, (letter) => letter.toUpperCase())}. Delivery: ${time}.`,
    unitAmount: price.from * 10 ** minorDigits(writtenForm().currency),
  }))
}

export async function findProposal(id: string): Promise<Proposal> {
  const row = await db.selectFrom('proposals').selectAll().where('id', '=', id).executeTakeFirst()
  const [found] = row ? await toProposals([row]) : []
  return found ?? stop('notFound', UNKNOWN)
}

/** Begins a draft: from the newest version, unless that was accepted, else from an offer. Returns the draft that there is already. */
export async function beginProposal(contactId: string, offer: string | undefined, author: Author): Promise<string> {
  return transaction(async (trx) => {
    const lead = await lockContact(trx, contactId)
    const rows = await trx
      .selectFrom('proposals')
      .selectAll()
      .where('contactId', '=', lead.id)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .execute()
    const draft = rows.find(({ state }) => state === 'draft')
    if (draft) return draft.id
    const [newest] = rows
    const isNext = newest !== undefined && newest.state !== 'accepted'
    const content = isNext ? { ...newest.content, validUntil: lastDay() } : await firstContent(trx, lead, offer)
    const number = isNext ? Math.max(...rows.filter(({ reference }) => reference === newest.reference).map((row) => row.number)) + 1 : 1
    const id = newId()
    await trx
      .insertInto('proposals')
      .values({
        id,
        reference: isNext ? newest.reference : await freeReference(trx),
        number,
        contactId: lead.id,
        content: JSON.stringify(content),
        validUntil: endOf(content.validUntil),
        createdBy: author.id,
      })
      .execute()
    await audit(trx, 'proposal_begun', { ...by(author), subjectId: lead.id, detail: { number } })
    return id
  })
}

async function lockContact(trx: Trx, contactId: string) {
  const lead = await trx
    .selectFrom('contacts')
    .select(['id', 'reference', 'name', 'email', 'problem', 'personId', 'deletedAt', 'quarantinedAt'])
    .where('id', '=', contactId)
    .forUpdate()
    .executeTakeFirst()
  if (!lead || lead.deletedAt) return stop('notFound', 'There is no such lead.')
  if (lead.quarantinedAt) return stop('conflict', 'This lead is in quarantine. Release it first.')
  return lead
}

async function freeReference(trx: Trx): Promise<string> {
  for (;;) {
    const reference = newReference('Q')
    const taken = await trx.selectFrom('proposals').select('id').where('reference', '=', reference).executeTakeFirst()
    if (!taken) return reference
  }
}

function lastDay(): string {
  return daysLater(businessDay(new Date(), billing.zone), proposalDefaults.validDays)
}

/** The moment at which the last day of an offer is over where the business is. */
function endOf(validUntil: string): Date {
  return startOfDay(daysLater(validUntil, 1), billing.zone)
}

async function firstContent(
  trx: Trx,
  { problem, personId }: { problem: string; personId: string },
  offer: string | undefined,
): Promise<ProposalContent> {
  const company = await trx
    .selectFrom('people')
    .innerJoin('organizations', 'organizations.id', 'people.organizationId')
    .select('organizations.currency')
    .where('people.id', '=', personId)
    .executeTakeFirst()
  const begun = offers().find(({ id }) => id === offer)
  const line = { title: begun?.title ?? '', detail: begun?.detail ?? '', unitAmount: begun?.unitAmount ?? 0 }
  const { terms, version, deposit } = proposalDefaults
  return {
    title: shortened(oneLine(problem), proposalLimits.title),
    intro: '',
    currency: company && isCurrency(company.currency) ? company.currency : writtenForm().currency,
    lines: [{ id: 'a1', ...line, quantity: ONE, discountShare: 0, isOptional: false, isChosen: false }],
    startsOn: null,
    deliversOn: null,
    needs: '',
    terms,
    termsVersion: version,
    depositShare: deposit * 100,
    isNonRefundable: true,
    validUntil: lastDay(),
  }
}

/** Locks a version until the transaction ends: what happens to it happens one after the other. */
export async function lockProposal(trx: Trx, id: string): Promise<Row<'proposals'>> {
  const row = await trx.selectFrom('proposals').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row ?? stop('notFound', UNKNOWN)
}

/** Saves a draft. Stops with a conflict and the stored draft when someone else has saved it since. */
export async function saveProposal(id: string, content: ProposalContent, expected: number | undefined, author: Author): Promise<Proposal> {
  const saved = await transaction(async (trx) => {
    const before = await lockProposal(trx, id)
    if (before.state !== 'draft')
      stop('conflict', 'This version was sent, and does not change. Write a new version.', { code: 'proposal_sent' })
    if (expected !== undefined && before.version !== expected) {
      const [current] = await toProposals([before], trx)
      stop('conflict', 'Someone else has saved this proposal in the meantime.', { code: 'edit_conflict', current })
    }
    await audit(trx, 'proposal_saved', {
      ...by(author),
      subjectId: before.contactId ?? undefined,
      detail: { proposal: before.reference, number: before.number },
    })
    return trx
      .updateTable('proposals')
      .set({ content: JSON.stringify(content), validUntil: endOf(content.validUntil), version: before.version + 1, updatedAt: now })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  const [found] = await toProposals([saved])
  return found ?? stop('notFound', UNKNOWN)
}

/** Deletes a draft. */
export async function discardProposal(id: string, author: Author): Promise<void> {
  await transaction(async (trx) => {
    const { state, contactId, number } = await lockProposal(trx, id)
    if (state !== 'draft') stop('conflict', 'This version was sent. Withdraw it instead.', { code: 'proposal_sent' })
    await trx.deleteFrom('proposals').where('id', '=', id).execute()
    await audit(trx, 'proposal_discarded', { ...by(author), subjectId: contactId ?? undefined, detail: { number } })
  })
}

/** Sends a draft by email. It replaces the version that was sent before, and ends the clock of the proposal. */
export async function sendProposal(id: string, author: Author): Promise<void> {
  await transaction(async (trx) => {
    // The lead first, as everywhere.
    const known = await trx.selectFrom('proposals').select('contactId').where('id', '=', id).executeTakeFirst()
    const lead = await lockContact(trx, known?.contactId ?? stop('notFound', UNKNOWN))
    const row = await lockProposal(trx, id)
    if (row.state !== 'draft') stop('conflict', 'This version was sent before.', { code: 'proposal_sent' })
    if (!lead.email) return stop('conflict', 'This lead has no email address, so the proposal cannot be sent.')
    const { success } = proposalContent.safeParse(row.content)
    if (!success) return stop('unprocessable', 'The draft lacks something. Save it first: its fields say what is missing.')
    if (row.validUntil <= new Date()) {
      const sentence = 'The last day of the offer is over. Choose a later one.'
      stop('unprocessable', sentence, { code: 'validation_failed', errors: { validUntil: sentence } })
    }
    const { email } = lead
    await replaceSent(trx, lead.id)
    const { number, reference, content } = row
    await trx
      .updateTable('proposals')
      .set({ state: 'sent', contentHash: hashOf(JSON.stringify(content)), sentAt: now, sentBy: author.id, sentTo: email, updatedAt: now })
      .where('id', '=', id)
      .execute()
    await proposeBy(trx, lead.id, author.id, { title: titleOf(row) })
    await audit(trx, 'proposal_emailed', { ...by(author), subjectId: lead.id, detail: { proposal: reference, number } })
    await enqueueEmail(trx, {
      ...proposalEmail(email, { id, name: lead.name, title: content.title, reference, number, ...textsOf(row) }),
      contactId: lead.id,
    })
    await emitProposal(trx, 'proposal.sent', row)
  })
  announceLeads()
}

function textsOf({ content }: Row<'proposals'>) {
  return { intro: content.intro, net: netOf(content), currency: content.currency, validUntil: content.validUntil }
}

async function replaceSent(trx: Trx, contactId: string): Promise<void> {
  await trx
    .updateTable('proposals')
    .set({ state: 'replaced', settledAt: now, codeMac: null, updatedAt: now })
    .where('contactId', '=', contactId)
    .where('state', '=', 'sent')
    .execute()
}

/** The name of a version in the timeline. */
export function titleOf({ reference, number, content }: Pick<Row<'proposals'>, 'reference' | 'number' | 'content'>): string {
  return `${content.title} (${reference}, version ${number})`
}

/** Takes back a version that was sent: nobody can accept it any more. */
export async function withdrawProposal(id: string, reason: string, author: Author): Promise<void> {
  await transaction(async (trx) => {
    const row = await lockProposal(trx, id)
    if (row.state !== 'sent')
      stop('conflict', withdrawRefusals[row.state] ?? 'This version is not open any more.', { code: 'proposal_settled' })
    await trx
      .updateTable('proposals')
      .set({ state: 'withdrawn', settledAt: now, reason, codeMac: null, updatedAt: now })
      .where('id', '=', id)
      .execute()
    await audit(trx, 'proposal_withdrawn', {
      ...by(author),
      subjectId: row.contactId ?? undefined,
      detail: { proposal: row.reference, number: row.number },
    })
    if (row.contactId)
      await noteLeadEvent(trx, {
        contactId: row.contactId,
        kind: 'proposal_withdrawn',
        actorId: author.id,
        detail: { title: titleOf(row) },
      })
  })
  announceLeads()
}

const withdrawRefusals: Partial<Record<Row<'proposals'>['state'], string>> = {
  draft: 'This version was not sent. Discard it instead.',
  accepted: 'The client has accepted this version. It cannot be withdrawn any more.',
}

/** Rows as staff see them, with questions and orders. */
async function toProposals(rows: readonly Row<'proposals'>[], connection: Database | Trx = db): Promise<Proposal[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const [questions, orders] = await Promise.all([
    connection.selectFrom('proposalQuestions').selectAll().where('proposalId', 'in', ids).orderBy('createdAt').orderBy('id').execute(),
    connection
      .selectFrom('orders')
      .select(['id', 'reference', 'kind', 'state', 'gross', 'currency', 'createdAt', 'proposalId'])
      .where('proposalId', 'in', ids)
      .orderBy('createdAt')
      .execute(),
  ])
  return rows.map((row) => ({
    id: row.id,
    reference: row.reference,
    number: row.number,
    state: row.state,
    content: row.content,
    net: acceptanceOf(row)?.net ?? netOf(row.content),
    version: row.version,
    url: proposalUrl(row.id),
    sentAt: textOf(row.sentAt),
    sentTo: row.sentTo,
    openedAt: textOf(row.openedAt),
    settledAt: textOf(row.settledAt),
    reason: row.reason,
    updatedAt: row.updatedAt.toISOString(),
    questions: questions.filter(({ proposalId }) => proposalId === row.id).map(toQuestion),
    acceptance: acceptanceOf(row),
    countersignedAt: textOf(row.countersignedAt),
    countersignedName: row.countersignedName,
    startedAt: textOf(row.startedAt),
    startReason: row.startReason,
    orders: orders.flatMap(({ kind, proposalId, createdAt, ...order }) =>
      proposalId === row.id && (kind === 'deposit' || kind === 'final') ? [{ ...order, kind, createdAt: createdAt.toISOString() }] : [],
    ),
  }))
}

const textOf = (moment: Date | null) => moment?.toISOString() ?? null

function acceptanceOf({ signedDocument, organizationId }: Row<'proposals'>): Proposal['acceptance'] {
  if (signedDocument === null) return null
  const { signer, buyer, chosen, quantities, net, tax, gross } = readSigned(signedDocument)
  return {
    ...signer,
    company: buyer.company,
    organizationId: organizationId ?? buyer.organizationId,
    lines: chosen,
    quantities,
    net,
    tax,
    gross,
    hash: hashOf(signedDocument),
  }
}

/** A question as both sides see it. */
export function toQuestion({
  id,
  lineId,
  question,
  answer,
  answeredAt,
  createdAt,
}: Row<'proposalQuestions'>): Proposal['questions'][number] {
  return { id, lineId, question, answer, answeredAt: textOf(answeredAt), createdAt: createdAt.toISOString() }
}
