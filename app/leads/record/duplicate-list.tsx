import { useState } from 'react'
import { Link } from 'react-router'
import { LEAD_DUPLICATES, type PossibleDuplicate, sameness } from '#app/leads/lead/duplicate.ts'
import type { LeadPerson } from '#app/leads/lead/new-lead.ts'
import { useLeadAction } from '#app/leads/list/use-desk.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { MergeDialog } from './merge-dialog.tsx'

const APART = `${LEAD_DUPLICATES}/apart`

/** Pairs of people who may be one: each is merged, or told apart for good. */
export function DuplicateList({ pairs, label }: { pairs: readonly PossibleDuplicate[]; label: string }) {
  return (
    <ul aria-label={label} className="grid grid-cols-1 gap-3">
      {pairs.map((pair) => (
        <Pair key={`${pair.one.id} ${pair.other.id}`} pair={pair} />
      ))}
    </ul>
  )
}

function Pair({ pair: { one, other, because } }: { pair: PossibleDuplicate }) {
  const [isMerging, setMerging] = useState(false)
  const apart = useLeadAction('Not remembered')
  const body = { oneId: one.id, otherId: other.id }
  const tellApart = () =>
    apart.mutate({
      method: 'POST',
      url: APART,
      body,
      done: `${one.name} and ${other.name} are two people`,
      undo: async () => apiRequest('DELETE', `${APART}?${new URLSearchParams(body)}`),
    })
  const [lead] = one.leads
  return (
    <li className="grid grid-cols-1 gap-2.5 rounded-card border border-line bg-surface px-3.5 py-3 text-small">
      <p className="flex flex-wrap gap-1.5">
        {because.map((kind) => (
          <Badge key={kind} look="grain">
            {sameness[kind]}
          </Badge>
        ))}
      </p>
      <div className="grid grid-cols-1 gap-x-6 gap-y-2 @lg:grid-cols-2">
        <Person person={one} />
        <Person person={other} />
      </div>
      <p className="flex flex-wrap gap-2">
        <Button type="button" look="quiet" size="small" aria-label={`Merge ${one.name} and ${other.name}`} onClick={() => setMerging(true)}>
          Merge
        </Button>
        <Button
          type="button"
          look="quiet"
          size="small"
          busy={apart.isPending}
          aria-label={`Not a duplicate: ${one.name} and ${other.name}`}
          onClick={tellApart}
        >
          Not a duplicate
        </Button>
      </p>
      {isMerging && lead && <MergeDialog reference={lead.reference} kept={one} other={other} close={() => setMerging(false)} />}
    </li>
  )
}

function Person({ person: { name, email, company, leads } }: { person: LeadPerson }) {
  return (
    <div className="min-w-0">
      <p className="font-semibold wrap-anywhere">{name}</p>
      <p className="wrap-anywhere text-muted">{[email, company].filter(Boolean).join(' · ')}</p>
      <ul>
        {leads.map(({ reference, problem, createdAt }) => (
          <li key={reference} className="flex items-baseline justify-between gap-3">
            <Link to={`/leads/${reference}`} className="link min-w-0 truncate">
              {problem}
            </Link>
            <time dateTime={createdAt} className="shrink-0 font-mono text-fine text-muted">
              {formatDay(createdAt)}
            </time>
          </li>
        ))}
      </ul>
    </div>
  )
}
