import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { blankProduct, type DataProduct, type ProductDetail } from '#app/datasets/catalog/product.ts'
import { createQueryClient } from '#app/platform/browser/query-client.tsx'

/** Renders a part of the marketplace at an address, with cached API responses. */
export function showMarket(element: ReactNode, at: string, answers: Record<string, unknown> = {}): string {
  const client = createQueryClient(() => undefined)
  for (const [url, data] of Object.entries(answers)) client.setQueryData([url], data)
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [at] })
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

export const prices: DataProduct = {
  ...blankProduct,
  id: '0199a6a0-0000-7000-8000-000000000011',
  slug: 'shop-prices',
  name: 'Shop prices',
  description: 'Daily prices of 200 products in 8 shops.',
  category: 'Prices',
  price: 1999,
  isFree: false,
  downloadUrl: '/api/data-products/shop-prices/download',
  apiEndpoint: '/api/v1/datasets/shop-prices/rows',
  sampleData: JSON.stringify([
    { day: '2026-10-01', shop: 'North', price: 12.5, note: null },
    { day: '2026-10-02', shop: 'South', price: 13, note: 'promotion' },
  ]),
  rows: 4000,
  bytes: 1_500_000,
  updatedAt: '2026-10-03T09:00:00.000Z',
  updateFrequency: 'Daily',
  access: 'pay',
  isSample: false,
}

export const cities: DataProduct = {
  ...prices,
  id: '0199a6a0-0000-7000-8000-000000000012',
  slug: 'world-cities',
  name: 'World cities',
  description: 'Cities with their places and people.',
  category: 'Geography',
  price: 0,
  isFree: true,
  apiEndpoint: undefined,
  rows: 1,
  bytes: 800,
  updatedAt: '2026-11-01T09:00:00.000Z',
  access: 'granted',
}

/** The same with the whole text of its page. */
export const pricesDetail: ProductDetail = {
  ...blankProduct,
  ...prices,
  about: 'Read every night.\n\nWith gaps where a shop was closed.',
  offers: [{ id: null, charged: 'once', currency: 'USD', amount: 1999, includes: 'year' }],
  source: 'Public shop pages',
  licence: 'CC BY 4.0',
  licenceUrl: 'https://creativecommons.org/licenses/by/4.0/',
  lawfulBasis: 'Public facts, no personal data',
  columns: [
    {
      name: 'shop',
      type: 'text',
      description: 'Which shop',
      fillRate: 1,
      distinct: 2,
      min: 'North',
      max: 'South',
      histogram: null,
      topValues: [
        { value: 'North', count: 3000 },
        { value: 'South', count: 1000 },
      ],
      masked: false,
    },
    {
      name: 'price',
      type: 'number',
      description: '',
      fillRate: 0.9995,
      distinct: 812,
      min: '0',
      max: '40',
      histogram: [
        { from: '0', to: '20', count: 3500 },
        { from: '20', to: '40', count: 498 },
      ],
      topValues: [],
      masked: false,
    },
  ],
  files: [
    { format: 'original', name: 'shop-prices-v2.csv', bytes: 4_200_000, sha256: 'a'.repeat(64) },
    { format: 'parquet', name: 'shop-prices-v2.parquet', bytes: 1_500_000, sha256: 'b'.repeat(64) },
    { format: 'json', name: 'shop-prices-v2.json', bytes: null, sha256: null },
  ],
  versions: [
    {
      number: 2,
      changes: 'Eight shops instead of seven.',
      rows: 4000,
      bytes: 1_500_000,
      publishedAt: '2026-10-03T09:00:00.000Z',
      isCurrent: true,
      difference: { previous: 1, addedRows: 500, removedRows: 3, addedColumns: ['note'], removedColumns: [], changedTypes: [] },
    },
    {
      number: 1,
      changes: '',
      rows: 3503,
      bytes: 1_200_000,
      publishedAt: '2026-09-03T09:00:00.000Z',
      isCurrent: false,
      difference: null,
    },
  ],
  related: [{ slug: 'world-cities', name: 'World cities', description: 'Cities with their places and people.', price: 0 }],
}
