import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { QuestionDialog } from '#app/ui/admin/action-button.tsx'
import type { ListFilter } from '#app/ui/admin/list-filters.tsx'
import { choiceOf, type Chosen, type ListLook, ListPage, onlyOne } from '#app/ui/admin/list-page.tsx'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { countOf } from '#app/ui/amount.ts'
import { Badge } from '#app/ui/badge.tsx'
import { formatDay } from '#app/ui/moment.ts'
import {
  deletedSubscribers,
  newsletterData,
  type Subscriber,
  subscriberPage,
  type SubscriberPage,
  type SubscriberState,
  SUBSCRIBERS,
} from './newsletter.ts'

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
  const [leaving, setLeaving] = useState<Chosen<Subscriber>>()
  const list = useListQuery(SUBSCRIBERS, subscriberPage, [{ key: 'q' }, { key: 'state' }])
  return (
    <ListPage
      {...look}
      filters={filtersOf(list.data?.counts)}
      list={list}
      rows={list.data?.subscribers}
      place={{ next: list.data?.nextCursor, count: list.data?.total }}
      files={SUBSCRIBERS}
      whole={list.data && { count: list.data.total }}
      menuOf={(row) => [{ label: 'Delete', isDanger: true, act: () => setLeaving(onlyOne(row)) }]}
      bulk={[{ label: 'Delete', act: setLeaving }]}
    >
      {leaving && <DeleteSubscribers chosen={leaving} close={() => setLeaving(undefined)} />}
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

type DeleteSubscribersProps = { chosen: Chosen<Subscriber>; close: () => void }

function DeleteSubscribers({ chosen, close }: DeleteSubscribersProps) {
  const { params } = useView()
  const { rows, isAll, count, clear } = chosen
  const [first] = rows
  const name = count === 1 && first ? first.email : `${isAll ? 'all ' : ''}${countOf(count, 'subscriber', 'subscribers')}`
  const filter = Object.fromEntries([...params].filter(([key, value]) => (key === 'q' || key === 'state') && value))
  const removal = {
    async send() {
      const answer = await apiRequest('POST', `${SUBSCRIBERS}/delete`, { choice: choiceOf(chosen, filter) })
      return deletedSubscribers.parse(await answer.json())
    },
    onDone: clear,
    done: ({ deleted }: { deleted: number }) =>
      deleted === 1 ? 'Subscriber deleted' : `${countOf(deleted, 'subscriber', 'subscribers')} deleted`,
    failed: count === 1 ? 'Subscriber not deleted' : 'Subscribers not deleted',
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
