import { isInScope } from '#app/data-api/keys/key-holder.server.ts'
import type { DataProduct, ProductDetail } from '#app/datasets/catalog/product.ts'
import { findDetail, listProducts } from '#app/datasets/catalog/listing.server.ts'
import { rowsWithin } from '#app/datasets/rows/pieces.server.ts'
import { refuseLater, type ServedEntry } from '#app/datasets/catalog/served-version.server.ts'
import { findServedEntry, findServedVersion, type CatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import type { Column, ColumnType } from '#app/datasets/catalog/column.ts'
import { allowEntry } from '#app/datasets/access/access.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import type { Caller } from './caller.server.ts'
import { DATASETS, numberOr, pageLimits } from './dataset.ts'

type Product = Row<'dataProducts'>
export type Version = Row<'datasetVersions'>
type Opened = { product: Product; version: Version }

/** The average size of a page's values. Rows can have any length, and a whole page is in memory. */
const PAGE_BYTES = 16 * 2 ** 20

/** The requested number of rows, or fewer if they are very long. */
export function pageSize(asked: string | undefined, version: Version): number {
  return Math.min(numberOr(asked, pageLimits.usual), rowsWithin(PAGE_BYTES, version))
}

/** The published datasets. A key with a limited scope sees only those in it. */
export async function listDatasets({ person, key }: Caller): Promise<DataProduct[]> {
  const products = await listProducts(person)
  return key ? products.filter(({ id }) => isInScope(key, id)) : products
}

/** The public facts of a dataset. */
export async function describeDataset(caller: Caller, slug: string): Promise<ProductDetail> {
  const { product } = await openDataset(caller, slug)
  return (await findDetail(product.id, caller.person)) ?? unknown()
}

/** A version of a dataset, to describe its rows. */
export async function openVersion(caller: Caller, slug: string, number: number | undefined): Promise<Opened> {
  return withVersion(await openDataset(caller, slug), number)
}

/** The same with access to the rows; throws 401, 402 or 403 without it. */
export async function openRows(caller: Caller, slug: string, number: number | undefined): Promise<Opened> {
  const entry = await openDataset(caller, slug)
  // The product's own pages use this API too, so a dataset offered only as a file can be viewed there.
  if (caller.key && !entry.product.hasApi && caller.person.role === 'customer') {
    stop('forbidden', 'This dataset is available as a file, not through the API.', { code: 'no_api' })
  }
  return withVersion(await allowEntry(entry, caller.person, 'see'), number)
}

async function withVersion(entry: ServedEntry, number: number | undefined): Promise<Opened> {
  const { product, version } = entry
  const found = number === undefined || number === version?.number ? version : await findServedVersion(product.id, number)
  if (found) {
    refuseLater(found, entry)
    return { product, version: found }
  }
  if (number !== undefined) stop('notFound', `This dataset has no published version ${number}.`, { code: 'unknown_version' })
  return stop('conflict', 'This dataset is not published yet.', { code: 'not_published' })
}

/** The same for files, whether or not the dataset is offered row by row. */
export async function openForFiles(caller: Caller, slug: string): Promise<ServedEntry> {
  return allowEntry(await openDataset(caller, slug), caller.person)
}

async function openDataset({ person, key }: Caller, slug: string): Promise<CatalogEntry> {
  const found = (await findServedEntry(slug, { hidden: person.role !== 'customer' })) ?? unknown()
  if (key && !isInScope(key, found.product.id)) stop('forbidden', 'This key has no access to this dataset.', { code: 'key_scope' })
  return found
}

function unknown(): never {
  return stop('notFound', 'There is no such dataset.', { code: 'unknown_dataset' })
}

type JsonSchema = Record<string, unknown>

const WHOLE = String.raw`^-?\d+$`
const TIME = String.raw`^-?\d{4,}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$`

/** How each type is written in JSON. Numbers that JavaScript or JSON cannot hold exactly are text. */
const shapes: Record<ColumnType, { types: string[]; rules?: JsonSchema }> = {
  text: { types: ['string'] },
  integer: { types: ['integer', 'string'], rules: { pattern: WHOLE } },
  number: { types: ['number', 'string'] },
  boolean: { types: ['boolean'] },
  date: { types: ['string'], rules: { format: 'date' } },
  timestamp: { types: ['string'], rules: { pattern: TIME } },
  list: { types: ['array'] },
  object: { types: ['object'] },
}

/** JSON Schema (2020-12) of a row in `application/json` and `application/x-ndjson`. Any value may be null. */
export function rowSchema(
  { slug, name }: Pick<Product, 'slug' | 'name'>,
  { number, columns }: Pick<Version, 'number' | 'columns'>,
): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${env.SITE_URL}${DATASETS}/${slug}/schema?version=${number}`,
    title: name,
    type: 'object',
    properties: Object.fromEntries(columns.map((column) => [column.name, valueSchema(column)])),
    required: columns.map(({ name }) => name),
    additionalProperties: false,
  }
}

function valueSchema({ type, description }: Pick<Column, 'type' | 'description'>): JsonSchema {
  const { types, rules = {} } = shapes[type]
  return { ...(description && { description }), type: [...types, 'null'], ...rules }
}
