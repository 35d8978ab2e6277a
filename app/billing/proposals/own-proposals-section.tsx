import { useQuery } from '@tanstack/react-query'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { OWN_PROPOSALS, type OwnProposal, ownProposals } from './own-proposal.ts'
import { proposalStateTexts, stateLooks } from './proposal.ts'

/** The proposals to the organization. Few have any, so without one the page says nothing of them. */
export function OwnProposalsSection() {
  const found = useQuery(apiQuery(OWN_PROPOSALS, ownProposals))
  const proposals = found.data?.proposals ?? []
  if (found.isError) return <Failed error={found.error} retry={found.refetch} />
  if (proposals.length === 0) return null
  return (
    <AccountSection id="proposals" title="Proposals" intro="What we have offered to your organization. Buyers and admins accept.">
      <ul className="divide-y divide-line border-y border-line">
        {proposals.map((proposal) => (
          <Row key={proposal.id} proposal={proposal} />
        ))}
      </ul>
    </AccountSection>
  )
}

function Row({ proposal: { reference, number, title, state, net, currency, validUntil, path } }: { proposal: OwnProposal }) {
  const more = [
    `${reference}, version ${number}`,
    net !== null && `${moneyText(net, currency)} before tax`,
    state === 'sent' && `until ${formatDay(validUntil)}`,
  ]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3">
      <div className="grid min-w-0 gap-0.5">
        {path ? (
          // It has no place in the workspace: its page is the one of the email.
          <a href={path} className="link font-semibold wrap-anywhere">
            {title}
          </a>
        ) : (
          <p className="font-semibold wrap-anywhere">{title}</p>
        )}
        <p className="text-small text-muted">{more.filter(Boolean).join(' · ')}</p>
      </div>
      <Badge look={stateLooks[state]}>{state === 'sent' ? 'To decide' : proposalStateTexts[state]}</Badge>
    </li>
  )
}
