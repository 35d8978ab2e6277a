import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { Badge } from '#app/ui/badge.tsx'
import { BILLING, type ListedSubscription, subscriptionPage } from './desk.ts'
import { Customer, dayColumn, money, NarrowRow, SubscriptionState } from './look.tsx'

const every = { once: 'once', month: 'a month', quarter: 'a quarter', year: 'a year' }

const look: ListLook<ListedSubscription> = {
  name: 'billing-subscriptions',
  caption: 'Subscriptions',
  one: 'subscription',
  many: 'subscriptions',
  loading: 'Loading subscriptions...',
  empty: { title: 'No subscriptions yet', text: 'Datasets that are paid by the month, quarter or year appear here.' },
  none: 'No subscription matches this search and this state.',
  nameOf: ({ reference }) => reference,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Reference, dataset or company' },
    {
      key: 'state',
      label: 'State',
      options: [
        { value: '', label: 'All states' },
        { value: 'active', label: 'Active' },
        { value: 'grace', label: 'Payment failed' },
        { value: 'incomplete', label: 'Not paid yet' },
        { value: 'ended', label: 'Ended' },
      ],
    },
  ],
  columns: [
    {
      key: 'reference',
      head: 'Subscription',
      width: '10.5rem',
      view: ({ reference }) => reference,
      mark: (row) => row.isTest && <Badge>Test</Badge>,
    },
    { key: 'product', head: 'Dataset', from: 'medium', view: ({ product }) => <span title={product}>{product}</span> },
    { key: 'customer', head: 'Customer', from: 'medium', view: ({ organization }) => <Customer organization={organization} /> },
    { key: 'state', head: 'State', width: '11.5rem', from: 'medium', view: (row) => <SubscriptionState subscription={row} /> },
    {
      key: 'amount',
      head: 'Price, net',
      width: '10rem',
      from: 'small',
      sort: 'amount',
      view: (row) => `${money(row.amount, row)} ${every[row.charged]}`,
    },
    dayColumn(({ periodEnd }) => periodEnd, { key: 'renews', head: 'Period ends', from: 'large' }),
    dayColumn(({ createdAt }) => createdAt, { key: 'created', head: 'Since', from: 'wide' }),
  ],
  renderNarrow: (row) => (
    <NarrowRow lines={[row.product, row.organization.name]}>
      <SubscriptionState subscription={row} />
    </NarrowRow>
  ),
}

/** All subscriptions, newest first. Each leads to its orders. */
export function SubscriptionList() {
  const list = useListQuery(`${BILLING}/subscriptions`, subscriptionPage, look.filters)
  return (
    <ListPage
      {...look}
      list={list}
      rows={list.data?.subscriptions}
      place={{ next: list.data?.nextCursor }}
      opens={({ reference }) => ({ to: `/admin/billing?q=${reference}` })}
      files={`${BILLING}/subscriptions`}
    />
  )
}
