import { provenAddress } from '#app/auth/users/account.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { proposalToken } from '#app/billing/orders/proposal-link.server.ts'
import { netOf } from './proposal.ts'
import { stateAt } from './public-proposal.server.ts'
import type { OwnProposal } from './own-proposal.ts'
import { readSigned } from './signed-document.ts'

const MOST = 100

type Reader = { organization: { id: string; isPersonal: boolean }; userId: string; mayBuy: boolean }

/** The open and settled versions to a company: it has bought them, or their person belongs to it. Alone, a person has those to their proven address. */
export async function listOwnProposals({ organization, userId, mayBuy }: Reader): Promise<OwnProposal[]> {
  const address = organization.isPersonal ? await provenAddress(userId) : null
  const rows = await db
    .selectFrom('proposals')
    .leftJoin('contacts', 'contacts.id', 'proposals.contactId')
    .leftJoin('people', 'people.id', 'contacts.personId')
    .selectAll('proposals')
    .where('proposals.state', 'not in', ['draft', 'replaced'])
    .where((row) =>
      organization.isPersonal
        ? row.and([
            row(row.fn<string>('lower', ['proposals.sentTo']), '=', address?.toLowerCase() ?? ''),
            row('people.organizationId', 'is', null),
          ])
        : row.or([
            row('proposals.organizationId', '=', organization.id),
            row.and([row('proposals.organizationId', 'is', null), row('people.organizationId', '=', organization.id)]),
          ]),
    )
    .orderBy('proposals.createdAt', 'desc')
    .limit(MOST)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    reference: row.reference,
    number: row.number,
    title: row.content.title,
    state: stateAt(row),
    currency: row.content.currency,
    validUntil: row.content.validUntil,
    sentAt: row.sentAt?.toISOString() ?? null,
    net: mayBuy ? (row.signedDocument === null ? netOf(row.content) : readSigned(row.signedDocument).net) : null,
    path: mayBuy ? `/proposal/${proposalToken(row.id)}` : null,
  }))
}
