import { orderKinds, orderStates } from '#app/billing/orders/order.ts'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { formatDay } from '#app/ui/moment.ts'
import { BILLING, type ListedOrder, orderPage } from './desk.ts'
import { Customer, kindLabels, money, orderPath, OrderState, stateLabels, TestBadge } from './look.tsx'

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
    { key: 'q', label: 'Search', placeholder: 'Number, reference or company' },
    {
      key: 'state',
      label: 'State',
      options: [
        { value: '', label: 'All states' },
        { value: 'unpaid', label: 'Unpaid' },
        { value: 'overdue', label: 'Overdue' },
        ...orderStates.map((value) => ({ value, label: stateLabels[value] })),
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
    { key: 'reference', head: 'Order', width: '7.5rem', view: ({ reference }) => reference, beside: (row) => <TestBadge row={row} /> },
    { key: 'title', head: 'Title', from: 'medium', view: ({ title }) => <span title={title}>{title}</span> },
    { key: 'customer', head: 'Customer', from: 'medium', view: ({ organization }) => <Customer organization={organization} /> },
    { key: 'state', head: 'State', width: '8rem', from: 'medium', view: (row) => <OrderState order={row} /> },
    { key: 'kind', head: 'Kind', width: '8rem', isExtra: true, view: ({ kind }) => kindLabels[kind] },
    { key: 'gross', head: 'Total', width: '8rem', kind: 'number', from: 'small', sort: 'gross', view: (row) => money(row.gross, row) },
    {
      key: 'owed',
      head: 'Owed',
      width: '8rem',
      kind: 'number',
      from: 'wide',
      view: (row) => (row.owed === 0 ? '-' : money(row.owed, row)),
    },
    { key: 'invoice', head: 'Invoice', width: '9.5rem', kind: 'data', from: 'wide', view: ({ invoice }) => invoice ?? '-' },
    {
      key: 'due',
      head: 'Due',
      width: '7rem',
      kind: 'data',
      from: 'huge',
      sort: 'due',
      view: ({ dueOn }) => (dueOn ? formatDay(dueOn) : '-'),
    },
    {
      key: 'created',
      head: 'Ordered',
      width: '7.5rem',
      kind: 'data',
      from: 'large',
      sort: 'created',
      view: ({ createdAt }) => <time dateTime={createdAt}>{formatDay(createdAt)}</time>,
    },
  ],
  renderNarrow: (row) => (
    <>
      <span className="w-full truncate">{row.title}</span>
      <span className="w-full truncate">{row.organization.name}</span>
      <OrderState order={row} />
      <span className="font-mono text-fine">{money(row.gross, row)}</span>
    </>
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
