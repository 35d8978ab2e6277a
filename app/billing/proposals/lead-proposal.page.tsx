import { Link } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { findLeadId } from '#app/leads/lead/contact.server.ts'
import { leadUrl } from '#app/leads/lead/desk.ts'
import { useLiveDesk } from '#app/leads/list/use-desk.tsx'
import { stop } from '#app/platform/errors/stop.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { writtenForm } from '#app/platform/text/written-form.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/lead-proposal.page.ts'
import { PROPOSAL_DATA, ProposalEditor } from './proposal-editor.tsx'
import { ProposalRecord } from './proposal-record.tsx'
import { type LeadProposals, leadProposals } from './proposal.ts'

export const handle = { access: 'leads.read' } satisfies Handle

export async function loader({ params: { reference } }: Route.LoaderArgs) {
  if (!(await findLeadId(reference))) stop('notFound', 'There is no such lead. It may have been deleted.')
  return { reference }
}

export const meta = ({ params }: Route.MetaArgs) => pageMeta({ title: `Proposal for ${params.reference}`, index: false })

/** The proposals of a lead: the draft, what was sent, and what became of it. */
export default function LeadProposalPage({ loaderData: { reference } }: Route.ComponentProps) {
  const found = usePageQuery(apiQuery(`${leadUrl(reference)}/proposals`, leadProposals))
  useLiveDesk()
  return (
    <Page
      kind="work"
      eyebrow={
        <Link to={`/leads/${reference}`} className="hover:text-ink">
          {found.data?.lead.name ?? reference}
        </Link>
      }
      title="Proposal"
    >
      {found.isPending && (
        <>
          <Loading>Loading the proposals...</Loading>
          <Skeleton lines={10} />
        </>
      )}
      {found.isError && !found.data && <Failed as="h2" error={found.error} retry={found.refetch} />}
      {found.data && <Proposals found={found.data} />}
    </Page>
  )
}

function Proposals({ found }: { found: LeadProposals }) {
  const { proposals, offers, lead } = found
  const draft = proposals.find(({ state }) => state === 'draft')
  const others = proposals.filter(({ state }) => state !== 'draft')
  const [newest] = others
  return (
    <div className="grid grid-cols-1 gap-6">
      {draft && (
        <section aria-labelledby="draft" className="grid grid-cols-1 gap-4">
          <h2 id="draft" className="flex flex-wrap items-baseline gap-x-3 text-h3">
            {draft.number === 1 ? 'Draft' : `Draft of version ${draft.number}`}{' '}
            <span className="font-mono text-small text-muted">{draft.reference}</span>
          </h2>
          <ProposalEditor key={draft.id} draft={draft} offers={offers} email={lead.email} />
        </section>
      )}
      {!draft && <Begin found={found} />}
      {others.map((each) => (
        <ProposalRecord key={each.id} proposal={each} isNewest={each === newest} />
      ))}
    </div>
  )
}

/** The next step without a draft: a first proposal from an offer, another version, or another proposal. */
function Begin({ found: { lead, proposals, offers } }: { found: LeadProposals }) {
  const [newest] = proposals
  const begin = (offer?: string) => ({
    send: async () => apiRequest('POST', `${leadUrl(lead.reference)}/proposals`, { ...(offer && { offer }) }),
    failed: 'Proposal not begun',
    touches: PROPOSAL_DATA,
  })
  const isNew = !newest || newest.state === 'accepted'
  // The next step after an answer; while the client still reads, it is one of several.
  const isNext = newest?.state === 'declined' || newest?.state === 'expired' || newest?.state === 'withdrawn'
  return (
    <div className="grid gap-3">
      {!newest && <p className="text-muted">No proposal yet. Begin with one of your offers, or with an empty line.</p>}
      {isNext && <p className="text-muted">A new version begins with the texts and lines of version {newest.number}.</p>}
      {newest?.state === 'accepted' && <p className="text-muted">Begin another proposal with one of your offers, or with an empty line.</p>}
      {isNew && (
        <ul className="grid max-w-4xl gap-2">
          {offers.map(({ id, title, detail, unitAmount }) => (
            <Card key={id} as="li" className="flex flex-wrap items-center gap-x-6 gap-y-3 py-3!">
              <div className="min-w-0 grow basis-72">
                <p className="font-semibold">{title}</p>
                <p className="text-small text-muted">{detail}</p>
              </div>
              <p className="font-mono text-small whitespace-nowrap">from {moneyText(unitAmount, writtenForm().currency)}</p>
              <ActionButton action={begin(id)} size="small" pending="Beginning..." aria-label={`Begin with ${title}`}>
                Begin
              </ActionButton>
            </Card>
          ))}
        </ul>
      )}
      <div>
        <ActionButton action={begin()} look={isNext ? 'primary' : 'quiet'} pending="Beginning...">
          {isNew ? 'Begin with an empty line' : 'Write a new version'}
        </ActionButton>
      </div>
    </div>
  )
}
