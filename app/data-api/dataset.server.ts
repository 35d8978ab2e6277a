import { isInScope } from '#app/api-keys/key-holder.server.ts'
import type { DataProduct, ProductDetail } from '#app/datasets/product.ts'
import { findDetail, listProducts } from '#app/datasets/listing.server.ts'
import { rowsWithin } from '#app/dataset-rows/pieces.server.ts'
import { findPublished, findShelved, type Shelved } from '#app/datasets/shelf.server.ts'
import { allowData } from '#app/entitlements/access.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Row } from '#db/tables.ts'
import type { Caller } from './caller.server.ts'
import { numberOr, pageLimits } from './dataset.ts'

type Product = Row<'dataProducts'>
export type Version = Row<'datasetVersions'>
type Opened = { product: Product; version: Version }

/** Of the values of a page, on the average: rows can be of any length, and a page is in memory as a whole. */
const PAGE_BYTES = 16 * 2 ** 20

/** How many rows a page has at most: as many as were asked for, of very long ones fewer. */
export function pageSize(asked: string | undefined, version: Version): number {
  return Math.min(numberOr(asked, pageLimits.usual), rowsWithin(PAGE_BYTES, version))
}

/** What stands on the shelf; a key that is limited to some datasets sees these. */
export async function listDatasets({ person, key }: Caller): Promise<DataProduct[]> {
  const products = await listProducts(person)
  return key ? products.filter(({ id }) => isInScope(key, id)) : products
}

/** All that may be known of a dataset without having it. */
export async function describeDataset(caller: Caller, slug: string): Promise<ProductDetail> {
  const { product } = await openDataset(caller, slug)
  return (await findDetail(product.id, caller.person)) ?? unknown()
}

/** A version of a dataset, to say what its rows look like. */
export async function openVersion(caller: Caller, slug: string, number: number | undefined): Promise<Opened> {
  return withVersion(await openDataset(caller, slug), number)
}

/** The same for whoever may have its rows; stops with 401, 402 or 403 where they may not. */
export async function openRows(caller: Caller, slug: string, number: number | undefined): Promise<Opened> {
  const shelved = await openDataset(caller, slug)
  // The pages of the product read through this API as well: a dataset that is offered as a file alone can be looked at there.
  if (caller.key && !shelved.product.hasApi && caller.person.role === 'customer') {
    stop('forbidden', 'This dataset is offered as a file, not through the API.', { code: 'no_api' })
  }
  await allowData(shelved.product, caller.person)
  return withVersion(shelved, number)
}

async function withVersion({ product, version }: Shelved, number: number | undefined): Promise<Opened> {
  const found = number === undefined || number === version?.number ? version : await findPublished(product.id, number)
  if (found) return { product, version: found }
  if (number !== undefined) stop('notFound', `This dataset has no published version ${number}.`, { code: 'unknown_version' })
  return stop('conflict', 'This dataset is not published yet.', { code: 'not_published' })
}

/** The same for the files of a dataset, whether or not it is offered row by row. */
export async function openForFiles(caller: Caller, slug: string): Promise<Shelved> {
  const shelved = await openDataset(caller, slug)
  await allowData(shelved.product, caller.person)
  return shelved
}

async function openDataset({ person, key }: Caller, slug: string): Promise<Shelved> {
  const found = (await findShelved(slug, { hidden: person.role !== 'customer' })) ?? unknown()
  if (key && !isInScope(key, found.product.id)) stop('forbidden', 'This key does not open this dataset.', { code: 'key_scope' })
  return found
}

function unknown(): never {
  return stop('notFound', 'There is no such dataset.', { code: 'unknown_dataset' })
}
