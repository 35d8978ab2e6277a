import { useRef, useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { QuestionDialog } from '#app/ui/admin/action-button.tsx'
import type { ListFilter } from '#app/ui/admin/list-filters.tsx'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { Badge } from '#app/ui/badge.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { newsletterData, type Subscriber, subscriberPage, type SubscriberPage, type SubscriberState, SUBSCRIBERS } from './newsletter.ts'

const states: Record<SubscriberState, { label: string; look: React.ComponentProps<typeof Badge>['look'] }> = {
  active: { label: 'Subscribed', look: 'leaf' },
  pending: { label: 'Not confirmed', look: 'grain' },
  unsubscribed: { label: 'Unsubscribed', look: 'plain' },
  bounced: { label: 'Bounced', look: 'alarm' },
}

const sources: Record<Subscriber['source'], string> = { blog: 'Blog', post: 'Post', page: 'Newsletter page' }

const look: ListLook<Subscriber> = {
  name: 'subscribers',
  caption: 'Subscribers',
  one: 'subscriber',
  many: 'subscribers',
  loading: 'Loading subscribers...',
  empty: { title: 'No subscribers yet', text: 'Readers subscribe below the list of posts and at the end of each post.' },
  none: 'No subscriber matches this filter.',
  nameOf: ({ email }) => email,
  columns: [
    { key: 'email', head: 'Email', view: ({ email }) => <span title={email}>{email}</span> },
    { key: 'state', head: 'Status', width: '9rem', from: 'medium', view: ({ state }) => <StateBadge state={state} /> },
    { key: 'source', head: 'Form', width: '9rem', from: 'large', view: ({ source }) => sources[source] },
    { key: 'asked', head: 'Requested', width: '8rem', from: 'large', kind: 'data', view: ({ askedAt }) => <Day at={askedAt} /> },
    {
      key: 'confirmed',
      head: 'Confirmed',
      width: '8rem',
      from: 'medium',
      kind: 'data',
      view: ({ confirmedAt }) => <Day at={confirmedAt} />,
    },
  ],
  renderNarrow: ({ state }) => <StateBadge state={state} />,
}

/** The filter says the number of subscribers in each status. */
function filtersOf(counts: SubscriberPage['counts'] | undefined): ListFilter[] {
  const option = (state: SubscriberState) => ({
    value: state,
    label: `${states[state].label}${counts ? ` (${numberText(counts[state])})` : ''}`,
  })
  return [
    { key: 'q', label: 'Search', placeholder: 'Search by email' },
    {
      key: 'state',
      label: 'Show',
      options: [{ value: '', label: 'All' }, option('active'), option('pending'), option('unsubscribed'), option('bounced')],
    },
  ]
}

/** All subscribers, newest first; searched, filtered and paged by the server. */
export function SubscriberList() {
  const [leaving, setLeaving] = useState<readonly Subscriber[]>()
  const list = useListQuery(SUBSCRIBERS, subscriberPage, [{ key: 'q' }, { key: 'state' }])
  return (
    <ListPage
      {...look}
      filters={filtersOf(list.data?.counts)}
      list={list}
      rows={list.data?.subscribers}
      place={{ next: list.data?.nextCursor }}
      files={SUBSCRIBERS}
      menuOf={(row) => [{ label: 'Delete', isDanger: true, act: () => setLeaving([row]) }]}
      bulk={[{ label: 'Delete', act: ({ rows }) => setLeaving(rows) }]}
    >
      {leaving && <DeleteSubscribers rows={leaving} close={() => setLeaving(undefined)} />}
    </ListPage>
  )
}

function StateBadge({ state }: { state: SubscriberState }) {
  const { label, look: color } = states[state]
  return <Badge {...(color && { look: color })}>{label}</Badge>
}

function Day({ at }: { at: string | null }) {
  return at ? <time dateTime={at}>{formatDay(at)}</time> : '-'
}

function DeleteSubscribers({ rows, close }: { rows: readonly Subscriber[]; close: () => void }) {
  const left = useRef(0)
  const [first] = rows
  const name = rows.length === 1 && first ? first.email : `${rows.length} subscribers`
  const removal = {
    async send() {
      for (const [at, { id }] of rows.entries()) {
        left.current = rows.length - at
        await apiRequest('DELETE', `${SUBSCRIBERS}/${id}`)
      }
    },
    done: rows.length === 1 ? 'Subscriber deleted' : `${rows.length} subscribers deleted`,
    failed: () => (rows.length === 1 ? 'Subscriber not deleted' : `${left.current} of ${rows.length} subscribers not deleted`),
    onRefused() {
      close()
      return false
    },
    touches: newsletterData,
  }
  return (
    <QuestionDialog action={removal} close={close} question={`Delete ${name}?`} confirm="Delete">
      <p>We forget the address and the proof of consent. Queued emails to it are not sent. This cannot be undone.</p>
    </QuestionDialog>
  )
}
