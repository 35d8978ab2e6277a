import { DATASETS } from '#app/data-api/v1/dataset.ts'
import { rowSchema } from '#app/data-api/v1/dataset.server.ts'
import { writeRowPosition } from '#app/data-api/v1/place.ts'
import type { DatasetVisitor } from '#app/datasets/catalog/access.server.ts'
import { findDetail, listProducts } from '#app/datasets/catalog/listing.server.ts'
import type { DataProduct } from '#app/datasets/catalog/product.ts'
import { type CatalogEntry, findCatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { listOwnDownloads } from '#app/datasets/download/download.server.ts'
import { readSample } from '#app/datasets/pages/sample.ts'
import { cursorAfter } from '#app/datasets/rows/rows.server.ts'
import { EXAMPLE_ROWS } from './code-example.ts'

/** In characters, of a text in an example. */
const MOST_TEXT = 72

/** The datasets that the API offers, in catalog order, and the reader's own one: the last that they downloaded, else the first they may read. */
export async function listForDocs(person: DatasetVisitor | undefined): Promise<{ products: DataProduct[]; own: DataProduct | undefined }> {
  const [all, downloads] = await Promise.all([listProducts(person), person ? listOwnDownloads(person.id) : []])
  const products = all.filter(({ apiEndpoint }) => apiEndpoint)
  const readable = products.filter(({ access }) => access === 'granted')
  const last = downloads.map(({ productId }) => readable.find(({ id }) => id === productId)).find(Boolean)
  return { products, own: last ?? readable.find(({ isFree }) => !isFree) ?? readable[0] ?? products[0] }
}

/**
 * The responses of the Data API for a dataset, by path, as they are: with its own columns, versions and rows. Only readers with access see
 * real values of personal columns. Lists and long texts are shortened.
 */
export async function findAnswers(slug: string, person: DatasetVisitor | undefined): Promise<ReadonlyMap<string, unknown>> {
  const [detail, entry, products] = await Promise.all([findDetail(slug, person), findCatalogEntry(slug), listProducts(person)])
  const listed = products.find((product) => product.slug === slug)
  if (!detail || !listed || !entry?.version) return new Map()
  const { product, version } = entry
  const rows = rowsFor(listed, entry)
  const shown = rows.slice(0, EXAMPLE_ROWS)
  const next = version.rows > EXAMPLE_ROWS ? writeRowPosition(version.number, cursorAfter(version, EXAMPLE_ROWS)) : null
  const changes = { data: version.number === 1 ? [] : shown.slice(0, 1).map((row) => ({ op: 'added', row })) }
  return new Map<string, unknown>([
    [DATASETS, shortenedValue({ data: [toCaller(listed)] })],
    [`${DATASETS}/{slug}`, shortenedValue(toCaller(detail))],
    [`${DATASETS}/{slug}/schema`, rowSchema(product, version)],
    [`${DATASETS}/{slug}/rows`, { data: shown, nextCursor: next, version: version.number }],
    [`${DATASETS}/{slug}/changes`, { ...changes, nextCursor: null, since: 1, version: version.number }],
  ])
}

/** A program always calls with an account. */
function toCaller<Product extends DataProduct>(product: Product): Product {
  return product.access === 'signIn' ? { ...product, access: product.isFree ? 'granted' : 'pay' } : product
}

function rowsFor({ access, sampleData }: DataProduct, { version }: CatalogEntry): readonly Record<string, unknown>[] {
  return access === 'granted' && version ? version.firstRows : readSample(sampleData)
}

/** Two items of each list, and the beginning of each text. */
function shortenedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortenedValue)
  if (typeof value === 'string') return value.length > MOST_TEXT ? `${value.slice(0, MOST_TEXT).toWellFormed()}…` : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortenedValue(one)]))
}
