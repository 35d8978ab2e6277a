import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { importVersion, takeFile } from '#app/datasets/import/import.server.ts'
import { publishVersion } from '#app/datasets/import/publish.server.ts'
import { workFolder } from '#app/datasets/import/work-folder.server.ts'
import { productBody } from '#app/datasets/catalog/product.ts'
import { createProduct } from '#app/datasets/catalog/product.server.ts'
import { findCatalogEntry, type CatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { countPhase, type ProgressReport } from '#app/ops/progress.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { SYSTEM_EDITOR } from '#app/blog/posts/post.server.ts'
import { firstDatasets, pricedSample } from '#app/content/first-datasets.ts'
import { csvOf, type SampleSheet } from './csv.ts'
import { type FirstSlug, firstSlugs, promotions, sheets } from './sheets.ts'
import { shopPrices } from './shop-prices.ts'

const KIND = 'datasets.begin'
const YEAR_OF: FirstSlug = 'daily-shop-prices'
const YEAR_CHANGES = 'The whole year: October 2025 to September 2026, more than a million rows.'

/**
 * Queues the sample products after the start, unless that was done before: removed ones do not come back. It is queued only once, because
 * two runs would import the same file to the same place.
 */
export async function createSampleProducts(): Promise<void> {
  if (!(await hasBegun())) await enqueue(db, { kind: KIND, payload: {}, dedupeKey: KIND })
}

defineJob(KIND, z.object({}), async (_payload, { signal }) => fillCatalog({ signal }))

/** Creates the sample products with their data; existing ones stay as they are. */
export async function fillCatalog({ signal, report }: { signal?: AbortSignal; report?: ProgressReport } = {}): Promise<void> {
  if (await hasBegun()) return
  const created = report && countPhase(report, { phase: 'Creating sample datasets', total: firstSlugs.length, unit: 'datasets' })
  for (const slug of firstSlugs) {
    const entry = (await findCatalogEntry(slug, { hidden: true })) ?? (await addSample(slug))
    if (!entry.version)
      await addVersion(entry.product.id, slug, { sheet: sheets[slug](), changes: firstDatasets[slug].changes, ...(signal && { signal }) })
    created?.(1)
  }
  await addPricedSample({ ...(signal && { signal }) })
  await db.updateTable('installation').set({ shelfBegunAt: new Date() }).execute()
}

/** Adds the dataset with a price where payments are tests, so that buying can be tried. Returns whether it was added. */
export async function addPricedSample({ signal }: { signal?: AbortSignal } = {}): Promise<boolean> {
  if (!env.PAYMENTS.includes('test')) return false
  const { slug, changes, ...texts } = pricedSample
  const known = await findCatalogEntry(slug, { hidden: true })
  if (known?.version) return false
  const { product } = known ?? (await addProduct({ slug, ...texts }))
  await db.updateTable('dataProducts').set({ isSample: true }).where('id', '=', product.id).execute()
  await addVersion(product.id, slug, { sheet: promotions(), changes, ...(signal && { signal }) })
  return true
}

/** Publishes the full year of the daily prices as the next version. Returns its rows, or 0 if the product is gone or has them already. */
export async function addWholeYear(report?: ProgressReport): Promise<number> {
  const { product, version } = (await findCatalogEntry(YEAR_OF, { hidden: true })) ?? {}
  if (!product || version?.changes === YEAR_CHANGES) return 0
  await addVersion(product.id, YEAR_OF, { sheet: shopPrices(), changes: YEAR_CHANGES, ...(report && { report }) })
  return (await findCatalogEntry(YEAR_OF, { hidden: true }))?.version?.rows ?? 0
}

async function hasBegun(): Promise<boolean> {
  const begun = db.selectFrom('installation').select('ownerId').where('shelfBegunAt', 'is not', null)
  return (await begun.executeTakeFirst()) !== undefined
}

async function addSample(slug: FirstSlug): Promise<CatalogEntry> {
  const { changes: _changes, ...texts } = firstDatasets[slug]
  return addProduct({ slug, ...texts })
}

async function addProduct({ slug, ...texts }: { slug: string }): Promise<CatalogEntry> {
  await createProduct(productBody.parse({ slug, hidden: false, ...texts }), SYSTEM_EDITOR)
  const entry = await findCatalogEntry(slug)
  if (!entry) throw new Error(`The product ${slug} was made and is not there.`)
  return entry
}

/** Writes a sheet to a file, then imports and publishes it like an upload by staff. After a crash, it resumes. */
async function addVersion(productId: string, slug: string, { sheet, changes, signal, report }: Delivery): Promise<void> {
  report?.({ phase: 'Writing a year of shop prices' })
  const id = (await findUnpublished(productId)) ?? (await takeSheet(productId, slug, { sheet, changes }))
  await importVersion(id, { ...(signal && { signal }), ...(report && { report }) })
  await publishVersion(id, SYSTEM_EDITOR)
}

type Delivery = { sheet: SampleSheet; changes: string; signal?: AbortSignal; report?: ProgressReport }

async function findUnpublished(productId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('datasetVersions')
    .select('id')
    .where('productId', '=', productId)
    .where('state', 'in', ['processing', 'ready'])
    .where('createdBy', '=', SYSTEM_EDITOR.id)
    .executeTakeFirst()
  return found?.id
}

async function takeSheet(productId: string, slug: string, { sheet, changes }: Delivery): Promise<string> {
  const folder = workFolder(randomUUID())
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = path.join(folder, `${slug}.csv`)
    await pipeline(Readable.from(csvOf(sheet)), createWriteStream(file, { mode: 0o600 }))
    return await takeFile(productId, file, { fileName: `${slug}.csv`, changes, by: SYSTEM_EDITOR, queued: false })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
