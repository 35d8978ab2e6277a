import { orderKinds, orderStates } from '#app/billing/orders/order.ts'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { Badge } from '#app/ui/badge.tsx'
import { BILLING, type ListedOrder, orderPage } from './desk.ts'
import { Customer, dayColumn, kindLabels, money, moneyColumn, NarrowRow, orderPath, OrderState, stateLabels } from './look.tsx'

const look: ListLook<ListedOrder> = {
  name: 'billing-orders',
  caption: 'Orders',
  one: 'order',
  many: 'orders',
  loading: 'Loading orders...',
  empty: {
    title: 'No orders yet',
    text: 'Everything that is paid once appears here: datasets, periods of subscriptions, deposits and final payments.',
  },
  none: 'No order matches this search and these filters.',
  nameOf: ({ reference }) => reference,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Number or company' },
    {
      key: 'state',
      label: 'State',
      options: [
        { value: '', label: 'All states' },
        { value: 'unpaid', label: 'Unpaid' },
        { value: 'overdue', label: 'Overdue' },
        ...orderStates.map((value) => ({ value, label: stateLabels[value] })),
        { value: 'refunded', label: 'Refunded' },
        { value: 'disputed', label: 'Disputed' },
      ],
    },
    {
      key: 'kind',
      label: 'Kind',
      options: [{ value: '', label: 'All kinds' }, ...orderKinds.map((value) => ({ value, label: kindLabels[value] }))],
    },
    {
      key: 'method',
      label: 'Paid by',
      isRare: true,
      options: [
        { value: 'checkout', label: 'Checkout' },
        { value: 'invoice', label: 'Invoice' },
      ],
    },
  ],
  columns: [
    {
      key: 'reference',
      head: 'Order',
      width: '10.5rem',
      view: ({ reference }) => reference,
      mark: (row) => row.isTest && <Badge>Test</Badge>,
    },
    { key: 'title', head: 'Title', from: 'medium', view: ({ title }) => <span title={title}>{title}</span> },
    { key: 'customer', head: 'Customer', from: 'medium', view: ({ organization }) => <Customer organization={organization} /> },
    { key: 'state', head: 'State', width: '9rem', from: 'medium', view: (row) => <OrderState order={row} /> },
    { key: 'kind', head: 'Kind', width: '8rem', isExtra: true, view: ({ kind }) => kindLabels[kind] },
    moneyColumn(({ gross }) => gross, { key: 'gross', head: 'Total', from: 'small', sort: 'gross' }),
    moneyColumn(({ owed }) => owed, {
      key: 'owed',
      head: 'Owed',
      from: 'wide',
      view: (row) => (row.owed === 0 ? '-' : money(row.owed, row)),
    }),
    { key: 'invoice', head: 'Invoice', width: '9.5rem', kind: 'data', from: 'wide', view: ({ invoice }) => invoice ?? '-' },
    dayColumn(({ dueOn }) => dueOn, { key: 'due', head: 'Due', from: 'huge' }),
    dayColumn(({ createdAt }) => createdAt, { key: 'created', head: 'Ordered', from: 'large' }),
  ],
  renderNarrow: (row) => (
    <NarrowRow lines={[row.title, row.organization.name]}>
      <OrderState order={row} />
      <span className="font-mono text-fine">{money(row.gross, row)}</span>
    </NarrowRow>
  ),
}

/** All orders, newest first. */
export function OrderList() {
  const list = useListQuery(`${BILLING}/orders`, orderPage, look.filters)
  return (
    <ListPage
      {...look}
      list={list}
      rows={list.data?.orders}
      place={{ next: list.data?.nextCursor }}
      opens={({ reference }) => ({ to: orderPath(reference) })}
      files={`${BILLING}/orders`}
    />
  )
}
