import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { importVersion, takeFile } from '#app/dataset-intake/import.server.ts'
import { publishVersion } from '#app/dataset-intake/publish.server.ts'
import { workFolder } from '#app/dataset-intake/work-folder.server.ts'
import { productBody } from '#app/datasets/product.ts'
import { createProduct } from '#app/datasets/product.server.ts'
import { findShelved, type Shelved } from '#app/datasets/shelf.server.ts'
import { db } from '#app/platform/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { NOBODY } from '#app/posts/nobody.ts'
import { firstDatasets } from '#app/site/content/first-datasets.ts'
import { csvOf, type Sheet } from './csv.ts'
import { type FirstSlug, firstSlugs, sheets } from './sheets.ts'
import { shopPrices } from './shop-prices.ts'

const KIND = 'datasets.begin'
const YEAR_OF: FirstSlug = 'daily-shop-prices'
const YEAR_CHANGES = 'The whole year: October 2025 to September 2026, more than a million rows.'

/**
 * Has the first products put on the shelf, after the start and beside everything else, unless that has been done: what was removed does not come back. Asked for once, however
 * often the product is started before it is done: two at once would read one file into one place.
 */
export async function beginShelf(): Promise<void> {
  if (!(await hasBegun())) await enqueue(db, { kind: KIND, payload: {}, dedupeKey: KIND })
}

defineJob(KIND, z.object({}), async (_payload, { signal }) => fillShelf(signal))

/** Puts the first products on the shelf, each with its data; those that are there already stay as they are. */
export async function fillShelf(signal?: AbortSignal): Promise<void> {
  if (await hasBegun()) return
  for (const slug of firstSlugs) {
    const shelved = (await findShelved(slug, { hidden: true })) ?? (await putOnShelf(slug))
    if (!shelved.version)
      await addVersion(shelved.product.id, slug, { sheet: sheets[slug](), changes: firstDatasets[slug].changes, ...(signal && { signal }) })
  }
  await db.updateTable('installation').set({ shelfBegunAt: new Date() }).execute()
}

/** Gives the daily prices their whole year, as the next version; answers its rows, or 0 where the product is gone or has them already. */
export async function addWholeYear(): Promise<number> {
  const { product, version } = (await findShelved(YEAR_OF, { hidden: true })) ?? {}
  if (!product || version?.changes === YEAR_CHANGES) return 0
  await addVersion(product.id, YEAR_OF, { sheet: shopPrices(), changes: YEAR_CHANGES })
  return (await findShelved(YEAR_OF, { hidden: true }))?.version?.rows ?? 0
}

async function hasBegun(): Promise<boolean> {
  const begun = db.selectFrom('installation').select('ownerId').where('shelfBegunAt', 'is not', null)
  return (await begun.executeTakeFirst()) !== undefined
}

async function putOnShelf(slug: FirstSlug): Promise<Shelved> {
  const { changes: _changes, ...texts } = firstDatasets[slug]
  await createProduct(productBody.parse({ slug, hidden: false, ...texts }), NOBODY)
  const shelved = await findShelved(slug)
  if (!shelved) throw new Error(`The product ${slug} was made and is not there.`)
  return shelved
}

/** Writes a sheet as a file and has it taken like one that staff send; its customers get it at once. Done again after a crash, it goes on where it was. */
async function addVersion(productId: string, slug: string, { sheet, changes, signal }: Delivery): Promise<void> {
  const id = (await findUnpublished(productId)) ?? (await takeSheet(productId, slug, { sheet, changes }))
  await importVersion(id, { ...(signal && { signal }) })
  await publishVersion(id, NOBODY)
}

type Delivery = { sheet: Sheet; changes: string; signal?: AbortSignal }

async function findUnpublished(productId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('datasetVersions')
    .select('id')
    .where('productId', '=', productId)
    .where('state', 'in', ['processing', 'ready'])
    .where('createdBy', '=', NOBODY.id)
    .executeTakeFirst()
  return found?.id
}

async function takeSheet(productId: string, slug: string, { sheet, changes }: Delivery): Promise<string> {
  const folder = workFolder(randomUUID())
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = path.join(folder, `${slug}.csv`)
    await pipeline(Readable.from(csvOf(sheet)), createWriteStream(file, { mode: 0o600 }))
    return await takeFile(productId, file, { fileName: `${slug}.csv`, changes, by: NOBODY, queued: false })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
