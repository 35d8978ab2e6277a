/** A product on a shop's page, and the row that is delivered. The row is derived from the page. */
type Extraction = {
  html: { name: string; price: [before: string, value: string, after: string]; stock: string }
  row: { product: string; price: string; currency: string; change: string; stock: string }
}

export const extractions: Extraction[] = [
  {
    html: { name: 'MOKA pot — 6 cup', price: ['', '$38.90', ''], stock: 'Only 3 left!' },
    row: { product: 'Moka pot, 6 cup', price: '38.90', currency: 'USD', change: '0.0%', stock: '3' },
  },
  {
    html: { name: 'hand grinder S2*', price: ['<s>$129</s>', '$99', ''], stock: '42 pcs' },
    row: { product: 'Hand grinder S2', price: '99.00', currency: 'USD', change: '−23.3%', stock: '42' },
  },
  {
    html: { name: 'Kettle,gooseneck', price: ['', '74,50 €', ' *'], stock: 'Sold out' },
    row: { product: 'Gooseneck kettle', price: '74.50', currency: 'EUR', change: '0.0%', stock: '0' },
  },
  {
    html: { name: 'Scale 2kg/0.1g NEW', price: ['<s>$50</s>', '$54.-', ''], stock: '17 left' },
    row: { product: 'Scale, 2 kg', price: '54.00', currency: 'USD', change: '+8.0%', stock: '17' },
  },
  {
    html: { name: 'Filters (100 St.)', price: ['ab ', 'EUR 6,20', ''], stock: '> 500' },
    row: { product: 'Filters, 100', price: '6.20', currency: 'EUR', change: '0.0%', stock: '500' },
  },
  {
    html: { name: 'Milk jug  600 ml', price: ['from ', 'US$21.75', ''], stock: '9 avail.' },
    row: { product: 'Milk jug, 600 ml', price: '21.75', currency: 'USD', change: '0.0%', stock: '9' },
  },
]

export const extractionWords = {
  request: 'coffee-gear.example/all?page=1',
  before: 'reading…',
  after: 'delivered 06:00:04',
  rows: 'rows',
  checked: '0 duplicates, 0 rejected',
} as const
