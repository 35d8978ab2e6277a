/** Small samples of deliveries for the cards and the services page. Invented but realistic. */

/** Prices of one product over fourteen days, US dollars: your shop and two competitors. */
export const priceSeries = {
  product: 'Trail running shoe, men, 43',
  days: ['Nov 4', 'Nov 17'],
  shops: [
    { name: 'you', prices: [129, 129, 129, 129, 129, 129, 129, 129, 129, 124, 124, 124, 124, 124] },
    { name: 'shop A', prices: [135, 135, 135, 132, 132, 132, 132, 132, 132, 132, 132, 135, 135, 135] },
    { name: 'shop B', prices: [126, 126, 126, 126, 126, 126, 119, 119, 119, 119, 119, 119, 122, 122] },
  ],
} as const

export const leadRow = [
  ['company', 'Halden Cycles Ltd'],
  ['people', '34'],
  ['platform', 'Shopify'],
  ['buyer', 'Head of purchasing'],
  ['email', 'ives@halden.example'],
  ['checked', 'delivers'],
] as const

/** Sellers of a category by their number of listings. */
export const marketCount = {
  category: 'Espresso machines, Germany',
  sellers: [
    { name: 'Manufacturers', listings: 4180 },
    { name: 'Specialist shops', listings: 2960 },
    { name: 'Marketplaces', listings: 1740 },
    { name: 'Refurbishers', listings: 410 },
  ],
} as const

export const apiCall = {
  request: 'GET /v1/rates?port=NLRTM',
  response: [
    ['port', '"NLRTM"'],
    ['container', '"40HC"'],
    ['rate', '2185.00'],
    ['currency', '"USD"'],
    ['read_on', '"2025-11-17"'],
  ],
} as const

export const pipeline = [
  { source: 'registers', count: '31 sources', state: 'on time' },
  { source: 'portals', count: '48 sources', state: 'on time' },
  { source: 'tenders', count: '12 sources', state: 'repairing' },
] as const

export const changes = [
  { where: 'rival.example/pricing', before: 'Team plan $49', after: 'Team plan $39' },
  { where: 'rival.example/careers', before: '2 sales jobs', after: '9 sales jobs' },
  { where: 'rival.example/reviews', before: '4.6 from 812', after: '4.4 from 871' },
  { where: 'rival.example/products', before: '38 products', after: '41 products' },
] as const

/** A page's source, and the row that it becomes. */
export const extraction = {
  html: [
    ['<h2 class=n>', 'Oak table, 180 cm', '</h2>'],
    ['<span data-p>', '1.249,00 €', '</span>'],
    ['<i>', 'noch 3 auf Lager', '</i>'],
    ['<time>', '17.11.25', '</time>'],
  ],
  row: [
    ['name', 'text', 'Oak table, 180 cm'],
    ['price_eur', 'decimal', '1249.00'],
    ['stock', 'integer', '3'],
    ['seen_on', 'date', '2025-11-17'],
  ],
} as const

export const alerts = [
  { time: 'Mon 06:00', text: '412 pages read, no changes', moved: false },
  { time: 'Tue 06:00', text: 'Shop B, espresso grinder: $189 to $159', moved: true },
  { time: 'Tue 06:00', text: 'Shop C, grinder out of stock', moved: true },
  { time: 'Wed 06:00', text: '412 pages read, no changes', moved: false },
] as const

/** Four spellings, one company. */
export const matchingSample = {
  before: ['Müller & Söhne GmbH', 'MUELLER UND SOEHNE', 'Mueller & Sohne (GmbH)', 'Müller+Söhne, Köln'],
  after: { name: 'Müller & Söhne GmbH', id: 'DE-HRB-48213', records: 4 },
} as const

export const sampleTitles = {
  lead: 'lead 1 of 1,000',
  pipeline: 'pipeline, 06:00 UTC',
  changes: 'changed since Monday',
  alerts: 'alerts, this week',
  matching: 'match on name, city, register number',
} as const
