import { db } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { mediumDay } from '#app/platform/time/english-date.ts'
import type { Row } from '#db/tables.ts'
import { type DatasetVisitor, liveGrants } from './access.server.ts'
import { findBuyPath } from './offer.server.ts'
import type { CatalogEntry } from './published-product.server.ts'

/** A product with the version that a person is served. */
export type ServedEntry = CatalogEntry & {
  /** Later versions are not included. Undefined: all are. */
  versionsUntil?: Date
}

/** The end of the versions that an organization has bought. Undefined where nothing is bought, or a grant includes all. */
export async function findVersionsUntil(productId: string, organizationId: string): Promise<Date | undefined> {
  return endOf(await listVersionEnds(productId, organizationId))
}

async function listVersionEnds(productId: string, organizationId: string): Promise<number[]> {
  const grants = await liveGrants(organizationId).select('versionsUntil').where('productId', '=', productId).execute()
  return grants.map(({ versionsUntil }) => versionsUntil?.getTime() ?? Infinity)
}

function endOf(ends: readonly number[]): Date | undefined {
  const last = Math.max(-Infinity, ...ends)
  return Number.isFinite(last) ? new Date(last) : undefined
}

/**
 * An entry with the newest version that a person with access is served: who bought the versions of a year keeps them, and gets no later one. Undefined
 * if their access has just ended.
 */
export async function servedTo(entry: CatalogEntry, person: DatasetVisitor | undefined): Promise<ServedEntry | undefined> {
  const { product, version } = entry
  if (product.isFree || !person || person.role !== 'customer') return entry
  const ends = await listVersionEnds(product.id, person.organization.id)
  if (ends.length === 0) return undefined
  const versionsUntil = endOf(ends)
  if (!versionsUntil) return entry
  if (!version || isIncluded(version, versionsUntil)) return { ...entry, versionsUntil }
  const newest = await db
    .selectFrom('datasetVersions')
    .selectAll()
    .where('productId', '=', product.id)
    .where('state', '=', 'published')
    .where('publishedAt', '<=', versionsUntil)
    .orderBy('number', 'desc')
    .executeTakeFirst()
  return { product, version: newest, versionsUntil }
}

/** Stops for a version that was published after the end of what was bought. */
export function refuseLater({ publishedAt }: Pick<Row<'datasetVersions'>, 'publishedAt'>, { product, versionsUntil }: ServedEntry): void {
  if (!versionsUntil || isIncluded({ publishedAt }, versionsUntil)) return
  const sentence = `Your order includes the versions until ${mediumDay(versionsUntil)}. Buy the dataset again for newer ones.`
  const checkoutUrl = findBuyPath(product)
  stop('paymentRequired', sentence, { code: 'version_not_included', ...(checkoutUrl && { checkoutUrl }) })
}

function isIncluded({ publishedAt }: Pick<Row<'datasetVersions'>, 'publishedAt'>, until: Date): boolean {
  return publishedAt === null || publishedAt <= until
}
