import { Badge } from '#app/ui/badge.tsx'
import { Cell, HeadCell, Row, Table } from '#app/ui/table.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { extractions } from '#app/site/content/extraction.ts'
import { Shelf } from './shelf.tsx'

export function Tables() {
  const tabs = [
    { value: 'all', label: 'All products', count: extractions.length, content: <Products /> },
    { value: 'none', label: 'Rejected', count: 0, content: <p className="text-muted">No row was rejected.</p> },
  ]
  return (
    <Shelf title="Tabs and tables">
      <Tabs label="Products" tabs={tabs} />
    </Shelf>
  )
}

function Products() {
  return (
    <Table caption="Products read this morning">
      <thead>
        <tr>
          <HeadCell>Product</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell kind="number">Price</HeadCell>
          <HeadCell kind="number">Change</HeadCell>
          <HeadCell kind="data">Read at</HeadCell>
        </tr>
      </thead>
      <tbody>
        {extractions.map(({ row }) => (
          <Row key={row.product} lit={row.change.startsWith('−')}>
            <Cell className="font-medium">{row.product}</Cell>
            <Cell>{row.stock === '0' ? <Badge look="alarm">Sold out</Badge> : <Badge look="leaf">In stock</Badge>}</Cell>
            <Cell kind="number">
              {row.price} {row.currency}
            </Cell>
            <Cell kind="number">{row.change}</Cell>
            <Cell kind="data">2026-11-20 06:00</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  )
}
