import { type Expression, type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely'
import { z } from 'zod/mini'
import { db } from '#app/platform/database/db.server.ts'
import { condition, rowCount } from '#app/platform/database/sql.server.ts'
import type { Tables } from '#db/tables.ts'
import { type DatasetVisitor, findAccess } from './access.server.ts'
import type { Column } from './column.ts'
import { findBuyPath } from './offer.server.ts'
import { publicColumns } from './masking.ts'
import { listedFields, type ProductAccess } from './product.ts'
import type { PublicChoice, PublicOrder } from './public-catalog.ts'

/** Divisible by the columns of the page, so its last row has no gap. */
export const CATALOG_PAGE_SIZE = 24
/** A column with fewer bars or values tells too little. */
const FEWEST_BARS = 3
const MOST_VALUES = 4
/** With as many visible bars, more do not make a better chart. */
const ENOUGH_BARS = 10

/** The shape of one column: bars of a histogram, or the most frequent values. Shares are from 0 to 1 of the largest one. */
export type DatasetChart =
  | { kind: 'histogram'; column: string; from: string; to: string; shares: number[] }
  | { kind: 'values'; column: string; values: { value: string; share: number }[] }

/** A dataset in the public catalog. */
export type ListedDataset = z.infer<typeof listedFields> & {
  price: number
  hasFile: boolean
  hasApi: boolean
  rows: number
  columns: number
  /** The publication of the current version, ISO 8601; null before the first one. */
  updatedAt: string | null
  access: ProductAccess
  /** Where it is bought, if it is sold online. */
  checkoutUrl: string | undefined
  chart: DatasetChart | undefined
}

/** A page of the public catalog; `total` counts the datasets on all of its pages. */
export type PublicCatalog = {
  entries: ListedDataset[]
  total: number
  pages: number
  categories: { category: string; datasets: number }[]
}

/** The published datasets that match a choice. */
export async function listPublicCatalog(choice: PublicChoice, person: DatasetVisitor | undefined): Promise<PublicCatalog> {
  const [access, found, total, categories] = await Promise.all([
    findAccess(person),
    findEntries(choice),
    countEntries(choice),
    listCategories(),
  ])
  const entries = found.map(({ id, isFree, currentVersionId, columns, rows, priceCents, updatedAt, ...entry }) => {
    const may = access({ id, isFree })
    return {
      ...entry,
      price: priceCents,
      rows: rows ?? 0,
      columns: columns?.length ?? 0,
      updatedAt: updatedAt?.toISOString() ?? null,
      access: may,
      checkoutUrl: findBuyPath({ slug: entry.slug, isFree, currentVersionId }),
      chart: chartOf(publicColumns(columns ?? [], { rows: rows ?? 0, isWhole: isFree || may === 'granted' })),
    }
  })
  return { entries, total, pages: Math.ceil(total / CATALOG_PAGE_SIZE), categories }
}

const orders = {
  recommended: sql`position`,
  newest: sql`published_at DESC NULLS LAST`,
  name: sql`lower(name)`,
  rows: sql`rows DESC NULLS LAST`,
} satisfies Record<PublicOrder, RawBuilder<unknown>>

async function findEntries(choice: PublicChoice) {
  return db
    .selectFrom('dataProducts')
    .leftJoin('datasetVersions', 'datasetVersions.id', 'dataProducts.currentVersionId')
    .select([...z.keyof(listedFields).options, 'dataProducts.id', 'priceCents', 'isFree', 'hasFile', 'hasApi', 'currentVersionId'])
    .select(['rows', 'columns', 'publishedAt as updatedAt'])
    .where((builder) => matches(builder, choice))
    .orderBy(orders[choice.sort])
    .orderBy('position')
    .orderBy('dataProducts.id')
    .limit(CATALOG_PAGE_SIZE)
    .offset((choice.page - 1) * CATALOG_PAGE_SIZE)
    .execute()
}

async function countEntries(choice: PublicChoice): Promise<number> {
  const { datasets } = await db
    .selectFrom('dataProducts')
    .select(rowCount.as('datasets'))
    .where((builder) => matches(builder, choice))
    .executeTakeFirstOrThrow()
  return datasets
}

/** Every word of the search is in the name, description or category. */
function matches(builder: ExpressionBuilder<Tables, 'dataProducts'>, { category, q }: PublicChoice): Expression<SqlBool> {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return builder.and([
    builder('hidden', '=', false),
    builder('removedAt', 'is', null),
    ...(category === undefined ? [] : [builder('category', '=', category)]),
    ...words.map((word) => condition`strpos(lower(name || ' ' || description || ' ' || category), ${word}) > 0`),
  ])
}

/** In catalog order. */
async function listCategories(): Promise<PublicCatalog['categories']> {
  const found = await db
    .selectFrom('dataProducts')
    .select(['category', rowCount.as('datasets')])
    .where('hidden', '=', false)
    .where('removedAt', 'is', null)
    .groupBy('category')
    .orderBy((order) => order.fn.min('position'))
    .orderBy('category')
    .execute()
  return found
}

/** The column whose distribution has the most visible shape; without one, the most frequent values of a column. */
export function chartOf(columns: readonly Column[]): DatasetChart | undefined {
  const histograms = columns.flatMap(({ name, histogram, min, max }) => {
    const most = Math.max(0, ...(histogram ?? []).map(({ count }) => count))
    if (!histogram || histogram.length < FEWEST_BARS || most === 0) return []
    const shares = histogram.map(({ count }) => count / most)
    const ends = { from: min ?? histogram[0]?.from ?? '', to: max ?? histogram.at(-1)?.to ?? '' }
    return { kind: 'histogram' as const, column: name, ...ends, shares }
  })
  const best = histograms.toSorted((one, other) => shapeOf(other.shares) - shapeOf(one.shares))[0]
  return best && shapeOf(best.shares) > 0 ? best : (valuesOf(columns) ?? best)
}

/** Flat bars, a single spike, and bars with gaps between them all score low. */
function shapeOf(shares: readonly number[]): number {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const deviation = Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length)
  const visible = Math.min(1, shares.filter((share) => share > 0.04).length / ENOUGH_BARS)
  const jumps = shares.slice(1).map((share, at) => Math.abs(share - (shares[at] ?? 0)))
  const evenness = 1 - jumps.reduce((sum, jump) => sum + jump, 0) / Math.max(1, jumps.length)
  return deviation * visible * evenness
}

function valuesOf(columns: readonly Column[]): DatasetChart | undefined {
  const column = columns.find(({ topValues }) => topValues.filter(({ value }) => value !== '').length >= FEWEST_BARS)
  if (!column) return undefined
  const values = column.topValues.filter(({ value }) => value !== '').slice(0, MOST_VALUES)
  const most = Math.max(1, ...values.map(({ count }) => count))
  return { kind: 'values', column: column.name, values: values.map(({ value, count }) => ({ value, share: count / most })) }
}
