import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { Badge } from '#app/ui/badge.tsx'
import { BILLING, type ListedPayment, paymentPage } from './desk.ts'
import { dayColumn, money, moneyColumn, paymentPath, providerLabels } from './look.tsx'

const look: ListLook<ListedPayment> = {
  name: 'billing-payments',
  caption: 'Payments',
  one: 'payment',
  many: 'payments',
  loading: 'Loading payments...',
  empty: { title: 'No payments yet', text: 'Payments by card, by bank transfer and those that staff enter appear here.' },
  none: 'No payment matches this search and these filters.',
  nameOf: (row) => `${money(row.amount, row)} of ${row.organization?.name ?? 'unknown'}`,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Number or company' },
    {
      key: 'provider',
      label: 'Method',
      options: [{ value: '', label: 'All methods' }, ...Object.entries(providerLabels).map(([value, label]) => ({ value, label }))],
    },
    {
      key: 'rest',
      label: 'Allocated',
      options: [
        { value: '', label: 'All payments' },
        { value: 'left', label: 'With a credit left' },
      ],
    },
  ],
  columns: [
    {
      key: 'customer',
      head: 'From',
      view: ({ organization }) => organization?.name ?? 'Unknown',
      mark: (row) => row.isTest && <Badge>Test</Badge>,
    },
    moneyColumn(({ amount }) => amount, { key: 'amount', head: 'Amount', width: '8.5rem', sort: 'amount' }),
    { key: 'orders', head: 'Orders', width: '12rem', kind: 'data', from: 'medium', view: ({ orders }) => orders.join(', ') || '-' },
    { key: 'left', head: 'Credit', width: '8rem', from: 'medium', view: (row) => <Left payment={row} /> },
    { key: 'provider', head: 'Paid by', width: '9rem', from: 'large', view: ({ provider }) => providerLabels[provider] },
    { key: 'note', head: 'Note', isExtra: true, view: ({ note }) => note },
    dayColumn(({ paidAt }) => paidAt, { key: 'paid', head: 'Paid', from: 'small' }),
  ],
  renderNarrow: (row) => (
    <>
      <span className="font-mono text-fine">{row.orders.join(', ')}</span>
      <Left payment={row} />
    </>
  ),
}

function Left({ payment }: { payment: ListedPayment }) {
  return payment.left === 0 ? '-' : <Badge look="grain">{money(payment.left, payment)}</Badge>
}

/** All payments, newest first. */
export function PaymentList() {
  const list = useListQuery(`${BILLING}/payments`, paymentPage, look.filters)
  return (
    <ListPage
      {...look}
      list={list}
      rows={list.data?.payments}
      place={{ next: list.data?.nextCursor }}
      opens={({ id }) => ({ to: paymentPath(id) })}
      files={`${BILLING}/payments`}
    />
  )
}
