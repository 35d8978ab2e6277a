import { Badge } from '#app/ui/badge.tsx'
import { Cell, HeadCell, TableRow, Table } from '#app/ui/table.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { extractions } from '#app/content/extraction.ts'
import { GallerySection } from './gallery-section.tsx'

export function TableExamples() {
  const tabs = [
    { value: 'all', label: 'All products', count: extractions.length, content: <Products /> },
    { value: 'none', label: 'Rejected', count: 0, content: <p className="text-muted">No row was rejected.</p> },
  ]
  return (
    <GallerySection title="Tabs and tables">
      <Tabs label="Products" tabs={tabs} />
    </GallerySection>
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
          <TableRow key={row.product} lit={row.change.startsWith('−')}>
            <Cell className="font-medium">{row.product}</Cell>
            <Cell>{row.stock === '0' ? <Badge look="alarm">Sold out</Badge> : <Badge look="leaf">In stock</Badge>}</Cell>
            <Cell kind="number">
              {row.price} {row.currency}
            </Cell>
            <Cell kind="number">{row.change}</Cell>
            <Cell kind="data">2026-11-20 06:00</Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}
