import { sql } from 'kysely'
import { db } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'
import { findAccess, type DatasetVisitor } from './access.server.ts'
import { fileFormats, fileNameOf } from './format.ts'
import { findBuyPath, listOffers } from './offer.server.ts'
import { publicColumns } from './masking.ts'
import { PRODUCTS } from './addresses.ts'
import { type DataProduct, listedFields, pageFields, type ProductAccess, type ProductDetail, type ProductFile } from './product.ts'
import { findCatalogEntry, type CatalogEntry } from './published-product.server.ts'
import { servedTo } from './served-version.server.ts'
import type { PublicVersion } from './version.ts'

const MOST_RELATED = 3

type Facts = { rows: number; bytes: number; publishedAt: Date | null }

/** Published products in catalog order. */
export async function listProducts(person: DatasetVisitor | undefined): Promise<DataProduct[]> {
  const [access, products] = await Promise.all([findAccess(person), listEntries()])
  return products.map((product) => toDataProduct(product, product.currentVersionId ? product : undefined, access(product)))
}

/** The public facts of a product. Only staff see an unpublished one. */
export async function findDetail(slugOrId: string, person: DatasetVisitor | undefined): Promise<ProductDetail | undefined> {
  const isStaff = person !== undefined && person.role !== 'customer'
  const found = await findCatalogEntry(slugOrId, { hidden: isStaff })
  if (!found) return undefined
  const { product, version } = found
  const [access, files, versions, offers, related] = await Promise.all([
    findAccess(person),
    listFiles(found),
    listVersions(product),
    listOffers(product),
    listRelated(product),
  ])
  const may = access(product)
  const served = (may === 'granted' && (await servedTo(found, person))) || found
  const isWhole = product.isFree || may === 'granted'
  const bytes = versions.find(({ isCurrent }) => isCurrent)?.bytes ?? 0
  return {
    ...toDataProduct(product, version && { rows: version.rows, bytes, publishedAt: version.publishedAt }, may),
    ...pageFields.parse(product),
    columns: publicColumns(served.version?.columns ?? [], { rows: served.version?.rows ?? 0, isWhole }),
    files,
    versions,
    offers,
    related,
  }
}

async function listEntries() {
  return db
    .selectFrom('dataProducts')
    .leftJoin('datasetVersions', 'datasetVersions.id', 'dataProducts.currentVersionId')
    .leftJoin('datasetFiles', (join) =>
      join.onRef('datasetFiles.versionId', '=', 'datasetVersions.id').on('datasetFiles.format', '=', 'parquet'),
    )
    .selectAll('dataProducts')
    .select((eb) => [
      eb.fn.coalesce('datasetVersions.rows', eb.lit(0)).as('rows'),
      eb.fn.coalesce('datasetFiles.bytes', eb.lit(0)).as('bytes'),
    ])
    .select('datasetVersions.publishedAt')
    .where('hidden', '=', false)
    .where('removedAt', 'is', null)
    .orderBy('position')
    .orderBy('dataProducts.id')
    .limit(1000)
    .execute()
}

function toDataProduct(product: Row<'dataProducts'>, version: Facts | undefined, access: ProductAccess): DataProduct {
  const { id, slug, isFree, isSample, sampleData } = product
  const checkoutUrl = findBuyPath(product)
  return {
    id,
    ...listedFields.parse(product),
    price: product.priceCents,
    isFree,
    ...(version && product.hasFile && { downloadUrl: `${PRODUCTS}/${id}/download` }),
    ...(version && product.hasApi && { apiEndpoint: `/api/v1/datasets/${slug}/rows` }),
    ...(checkoutUrl && { checkoutUrl }),
    isSample,
    sampleData,
    rows: version?.rows ?? 0,
    bytes: version?.bytes ?? 0,
    updatedAt: version?.publishedAt?.toISOString() ?? null,
    access,
  }
}

async function listFiles({ product, version }: CatalogEntry): Promise<ProductFile[]> {
  if (!version || !product.hasFile) return []
  const made = await db.selectFrom('datasetFiles').select(['format', 'bytes', 'sha256']).where('versionId', '=', version.id).execute()
  const byFormat = new Map(made.map(({ format, ...file }) => [format, file]))
  return fileFormats.map((format) => ({
    format,
    name: fileNameOf(product.slug, version, format),
    bytes: byFormat.get(format)?.bytes ?? null,
    sha256: byFormat.get(format)?.sha256 ?? null,
  }))
}

/** Newest first. */
async function listVersions({ id, currentVersionId }: Row<'dataProducts'>): Promise<PublicVersion[]> {
  const found = await db
    .selectFrom('datasetVersions')
    .leftJoin('datasetFiles', (join) =>
      join.onRef('datasetFiles.versionId', '=', 'datasetVersions.id').on('datasetFiles.format', '=', 'parquet'),
    )
    .select(['datasetVersions.id', 'number', 'changes', 'rows', 'publishedAt', 'difference', 'bytes'])
    .where('productId', '=', id)
    .where('state', '=', 'published')
    .orderBy('number', 'desc')
    .limit(100)
    .execute()
  return found.map(({ id: versionId, publishedAt, bytes, ...version }) => ({
    ...version,
    bytes: bytes ?? 0,
    publishedAt: publishedAt?.toISOString() ?? '',
    isCurrent: versionId === currentVersionId,
  }))
}

/** When the first version of a product was published. */
export async function findFirstPublication(productId: string): Promise<Date | undefined> {
  const versions = db
    .selectFrom('datasetVersions')
    .select('publishedAt')
    .where('productId', '=', productId)
    .where('state', '=', 'published')
  return (await versions.orderBy('number').limit(1).executeTakeFirst())?.publishedAt ?? undefined
}

/** Products of the same category first. */
async function listRelated({ id, category }: Row<'dataProducts'>): Promise<ProductDetail['related']> {
  const found = await db
    .selectFrom('dataProducts')
    .select(['slug', 'name', 'description', 'priceCents'])
    .where('hidden', '=', false)
    .where('removedAt', 'is', null)
    .where('id', '!=', id)
    .orderBy(sql`category = ${category}`, 'desc')
    .orderBy('position')
    .limit(MOST_RELATED)
    .execute()
  return found.map(({ priceCents, ...product }) => ({ ...product, price: priceCents }))
}
