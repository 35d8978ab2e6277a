import { audit } from '#app/auth/users/audit.server.ts'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { proposalPageTexts as words } from '#app/content/proposals.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { insertOrganization, lockOrganization, VAT_CHECK } from '#app/organizations/organization/organization.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { seal } from '#app/platform/guard/keys.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import type { Row } from '#db/tables.ts'
import { buyerOf, type Errors, findCompany, isTest, type Signer, type Sum, sumOrSentence, type Wish } from './accept.server.ts'
import { startProject } from './project-start.server.ts'
import { emitProposal } from './proposal-event.server.ts'
import { proposalAcceptedEmail } from './proposal.email.tsx'
import { hashOf, lockProposal, titleOf } from './proposal.server.ts'
import { refusalOf, tell } from './public-proposal.server.ts'
import type { SignedDocument } from './signed-document.ts'
import { signedFileJob } from './signed-file.server.ts'

const DAY = 86_400_000
/** Where the company has no term of its own. */
const DEPOSIT_DAYS = 7

export type Signature = { wish: Wish; signer: Signer; digest: string; address: string; userAgent: string }

/**
 * Accepts a version: the signed document, the buyer and the order of the deposit are one transaction. Of two tabs, the second finds it accepted.
 * The code was compared before.
 */
export async function signProposal(row: Row<'proposals'>, signature: Signature): Promise<Errors | undefined> {
  const refused = await transaction(async (trx) => {
    const current = await lockProposal(trx, row.id)
    const refusal = refusalOf(current)
    if (refusal) return refusal
    if (!current.codeMac) return words.errors.noCode
    const company = await findCompany(current, trx)
    const sum = sumOrSentence(current, signature.wish, company)
    if (typeof sum === 'string') return sum
    if (sum.digest !== signature.digest) return words.errors.changed
    await accept(trx, current, { ...signature, sum, company })
    return undefined
  })
  if (refused) return { form: refused }
  announceLeads()
  return undefined
}

type Accepting = Signature & { sum: Sum; company: Row<'organizations'> | undefined }

async function accept(trx: Trx, row: Row<'proposals'>, accepting: Accepting): Promise<void> {
  const { wish, signer, sum, address, userAgent } = accepting
  const organizationId = await takeBuyer(trx, row, accepting)
  const document = documentOf(row, accepting, organizationId)
  const text = JSON.stringify(document)
  const accepted = await trx
    .updateTable('proposals')
    .set({
      state: 'accepted',
      settledAt: now,
      organizationId,
      codeMac: null,
      signedDocument: text,
      signedHash: hashOf(text),
      evidenceSealed: seal('proposal-evidence', row.id, JSON.stringify({ name: wish.name, email: signer.address, address, userAgent })),
      signedBy: signer.userId,
      updatedAt: now,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const detail = { proposal: row.reference, number: row.number, hash: accepted.signedHash }
  await audit(trx, 'proposal_accepted', { actorId: signer.userId ?? undefined, subjectId: row.contactId ?? undefined, address, detail })
  const amount = moneyText(document.net, row.content.currency)
  await tell(trx, row, {
    kind: 'proposal_accepted',
    title: 'Proposal accepted',
    detail: { title: titleOf(row), text: `${wish.name}, ${amount} before tax` },
  })
  await emitProposal(trx, 'proposal.accepted', accepted)
  await enqueue(trx, signedFileJob(row.id, 'accepted'))
  await confirm(trx, accepted, document)
  if (sum.deposit) await orderDeposit(trx, accepted, sum.deposit, signer)
  else await startProject(trx, accepted)
}

function documentOf(row: Row<'proposals'>, { wish, signer, sum, company }: Accepting, organizationId: string): SignedDocument {
  const { company: name, countryCode, vatNumber } = buyerOf(wish, company)
  const { taxParts, net, tax, gross } = sum.totals
  const signedAt = new Date()
  return {
    reference: row.reference,
    number: row.number,
    contentHash: row.contentHash ?? hashOf(JSON.stringify(row.content)),
    content: row.content,
    chosen: wish.chosen,
    quantities: wish.quantities,
    buyer: { organizationId, company: name, countryCode, vatNumber },
    signer: { name: wish.name, email: signer.address },
    taxParts,
    net,
    tax,
    gross,
    deposit: sum.deposit?.gross ?? 0,
    consents: [words.accept.consent, words.accept.authority],
    sentAt: (row.sentAt ?? signedAt).toISOString(),
    firstOpenedAt: (row.openedAt ?? signedAt).toISOString(),
    signedAt: signedAt.toISOString(),
  }
}

/** The company that buys: the known one with what it lacked, or a new one that the person of the lead belongs to from now on. */
async function takeBuyer(trx: Trx, row: Row<'proposals'>, { wish, company, signer }: Accepting): Promise<string> {
  const { kind, countryCode } = buyerOf(wish, company)
  if (company) {
    const current = await lockOrganization(trx, company.id)
    if (!current || current.state !== 'active') return stop('forbidden', `${company.name} is suspended. Please contact us.`)
    await trx.updateTable('organizations').set({ kind, countryCode, updatedAt: now }).where('id', '=', company.id).execute()
    return company.id
  }
  const id = await insertOrganization(trx, wish.company)
  await trx
    .updateTable('organizations')
    .set({ kind, countryCode, vatNumber: wish.vatNumber, currency: row.content.currency, billingEmails: signer.address })
    .where('id', '=', id)
    .execute()
  if (wish.vatNumber) await enqueue(trx, { kind: VAT_CHECK, payload: { organizationId: id } })
  // The address was proven by the code, and that of the account before.
  if (signer.userId)
    await trx.insertInto('organizationMembers').values({ organizationId: id, userId: signer.userId, role: 'admin' }).execute()
  await audit(trx, 'organization_founded', { actorId: signer.userId ?? undefined, subjectId: id, detail: { proposal: row.reference } })
  await trx
    .updateTable('people')
    .set({ organizationId: id })
    .where('id', '=', (of) =>
      of
        .selectFrom('contacts')
        .select('personId')
        .where('id', '=', row.contactId ?? ''),
    )
    .execute()
  return id
}

async function confirm(
  trx: Trx,
  { id, contactId, reference, number, content, sentTo }: Row<'proposals'>,
  document: SignedDocument,
): Promise<void> {
  const { signer, gross, deposit } = document
  const email = {
    id,
    name: signer.name,
    title: content.title,
    reference,
    number,
    signer: signer.name,
    gross,
    deposit,
    currency: content.currency,
  }
  const addresses = new Set([signer.email.toLowerCase(), (sentTo ?? signer.email).toLowerCase()])
  for (const address of addresses) await enqueueEmail(trx, { ...proposalAcceptedEmail(address, email), ...(contactId && { contactId }) })
}

/** By invoice: the prepayment invoice is issued with it. */
async function orderDeposit(trx: Trx, row: Row<'proposals'>, totals: NonNullable<Sum['deposit']>, signer: Signer): Promise<void> {
  const { id, organizationId, content } = row
  if (!organizationId) throw new Error('An accepted proposal has no buyer.')
  const { paymentDays } = await trx
    .selectFrom('organizations')
    .select('paymentDays')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const dueAt = new Date(Date.now() + (paymentDays ?? DEPOSIT_DAYS) * DAY)
  const title = totals.lines[0]?.title ?? content.title
  const order = { kind: 'deposit', organizationId, userId: signer.userId, title, currency: content.currency } as const
  await placeOrder(
    trx,
    { ...order, method: 'invoice', proposalId: id, isBusiness: true, isTest, dueAt, totals },
    { id: signer.userId ?? undefined },
  )
}
