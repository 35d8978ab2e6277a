import { invoiceLabel, invoiceLabels } from '#app/billing/invoices/invoice.ts'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { Badge } from '#app/ui/badge.tsx'
import { BILLING, invoicePage, type ListedInvoice } from './desk.ts'
import { Customer, dayColumn, InvoiceState, money, moneyColumn, NarrowRow, orderPath } from './look.tsx'

const look: ListLook<ListedInvoice> = {
  name: 'billing-invoices',
  caption: 'Invoices',
  one: 'invoice',
  many: 'invoices',
  loading: 'Loading invoices...',
  empty: { title: 'No invoices yet', text: 'Each paid order, and each order by invoice, has one. Refunds have credit notes.' },
  none: 'No invoice matches this search and these filters.',
  nameOf: ({ number }) => number,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Number or company' },
    {
      key: 'state',
      label: 'State',
      options: [
        { value: '', label: 'All states' },
        { value: 'unpaid', label: 'Unpaid' },
        { value: 'overdue', label: 'Overdue' },
        { value: 'paid', label: 'Paid' },
      ],
    },
    {
      key: 'kind',
      label: 'Kind',
      options: [{ value: '', label: 'All kinds' }, ...Object.entries(invoiceLabels).map(([value, label]) => ({ value, label }))],
    },
  ],
  columns: [
    { key: 'number', head: 'Number', width: '13rem', view: ({ number }) => number, mark: (row) => row.isTest && <Badge>Test</Badge> },
    { key: 'customer', head: 'Customer', from: 'medium', view: ({ organization }) => <Customer organization={organization} /> },
    { key: 'state', head: 'State', width: '8rem', from: 'medium', view: (row) => <InvoiceState invoice={row} /> },
    { key: 'kind', head: 'Kind', width: '10rem', from: 'huge', view: invoiceLabel },
    { key: 'order', head: 'Order', width: '7.5rem', kind: 'data', from: 'large', view: ({ order }) => order },
    moneyColumn(({ net }) => net, { key: 'net', head: 'Net', isExtra: true }),
    moneyColumn(({ tax }) => tax, { key: 'tax', head: 'Tax', isExtra: true }),
    moneyColumn(({ gross }) => gross, { key: 'gross', head: 'Total', from: 'small', sort: 'gross' }),
    dayColumn(({ issuedOn }) => issuedOn, { key: 'issued', head: 'Issued', from: 'medium' }),
    dayColumn(({ dueOn }) => dueOn, { key: 'due', head: 'Due', from: 'wide' }),
  ],
  renderNarrow: (row) => (
    <NarrowRow lines={[row.organization.name]}>
      <InvoiceState invoice={row} />
      <span className="font-mono text-fine">{money(row.gross, row)}</span>
    </NarrowRow>
  ),
}

/** All invoices and credit notes, newest first. Each opens its order. */
export function InvoiceList() {
  const list = useListQuery(`${BILLING}/invoices`, invoicePage, look.filters)
  return (
    <ListPage
      {...look}
      list={list}
      rows={list.data?.invoices}
      place={{ next: list.data?.nextCursor }}
      opens={({ order }) => ({ to: `${orderPath(order)}#documents` })}
      files={`${BILLING}/invoices`}
    />
  )
}
