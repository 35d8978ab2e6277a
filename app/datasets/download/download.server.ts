import type { DatasetVisitor } from '#app/datasets/catalog/access.server.ts'
import { checkChoice } from '#app/datasets/rows/row-choice.ts'
import type { RowChoice } from '#app/datasets/catalog/column.ts'
import { type FileFormat, fileNameOf, mediaTypes } from '#app/datasets/catalog/format.ts'
import { apiDocsOf } from '#app/datasets/catalog/addresses.ts'
import { findPublished } from '#app/datasets/catalog/published-product.server.ts'
import { refuseLater, type ServedEntry } from '#app/datasets/catalog/served-version.server.ts'
import { audit, organizationDetail } from '#app/auth/users/audit.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { chosenFormats, type DownloadRequest, type DownloadManifest, type OwnDownload } from './download.ts'
import { refuseLongSheet } from '#app/datasets/rows/rows.server.ts'
import { linkTo } from './file-link.server.ts'
import { fileOf } from './made-file.server.ts'

type Person = Pick<DatasetVisitor, 'id' | 'organization'>
type Version = Row<'datasetVersions'>

/** Records a download by a user with access, and returns the URL to open: of a file, or of the API documentation. */
export async function startDownload(
  found: ServedEntry,
  person: Person,
  wish: DownloadRequest & { format: FileFormat },
  address: string,
): Promise<string> {
  const { product } = found
  if (wish.downloadType === 'api') {
    if (!product.hasApi) stop('conflict', 'This dataset is not available through the API.', { code: 'not_offered' })
    await note({ type: 'api', format: null, choice: null }, found, await versionOf(found, undefined), person, address)
    return apiDocsOf(product.slug)
  }
  if (!product.hasFile) stop('conflict', 'This dataset is not available as a file.', { code: 'not_offered' })
  const version = await versionOf(found, wish.version)
  const choice = choiceOf(wish, version)
  const { format } = wish
  if (choice && !chosenFormats.some((each) => each === format)) {
    const sentence = `Selected rows and columns are available as ${chosenFormats.join(' or ')}`
    stop('unprocessable', `${sentence}.`, { errors: { format: sentence } })
  }
  if (format === 'xlsx') await refuseLongSheet(version, choice?.filters ?? [], { person: person.id })
  if (!choice) await fileOf(version, format)
  const download = await note({ type: 'file', format, choice: choice ?? null }, found, version, person, address)
  return linkTo(download, fileNameOf(choice ? `${product.slug}-selection` : product.slug, version, format))
}

/** A whole file, for a program. */
export type OpenedFile = { version: Version; file: Row<'datasetFiles'>; name: string }

/** Finds a whole file for a user with access. */
export async function openDownloadFile(
  found: ServedEntry,
  person: Pick<Person, 'id'>,
  { format, version: number }: { format: FileFormat; version: number | undefined },
): Promise<OpenedFile> {
  const { product } = found
  if (!product.hasFile) stop('conflict', 'This dataset is not available as a file.', { code: 'not_offered' })
  const version = await versionOf(found, number)
  if (format === 'xlsx') await refuseLongSheet(version, [], { person: person.id })
  const file = await fileOf(version, format)
  return { version, file, name: fileNameOf(product.slug, version, format) }
}

/** Programs request ranges separately and again after interruptions: requests within this time are recorded as one download. */
const NOTED_HOURS = 1

/** Records the download of a whole file by a program. */
export async function noteFileDownload(
  found: ServedEntry,
  person: Person,
  { version, format }: { version: Version; format: FileFormat },
  address: string,
): Promise<void> {
  const noted = await db
    .selectFrom('downloads')
    .select('id')
    .where('userId', '=', person.id)
    .where('organizationId', '=', person.organization.id)
    .where('versionId', '=', version.id)
    .where('format', '=', format)
    .where('choice', 'is', null)
    .where('createdAt', '>', new Date(Date.now() - NOTED_HOURS * 3_600_000))
    .limit(1)
    .executeTakeFirst()
  if (!noted) await note({ type: 'file', format, choice: null }, found, version, person, address)
}

/** The files that a user has downloaded: each product once with its latest download, newest first. */
export async function listOwnDownloads(userId: string): Promise<OwnDownload[]> {
  const latest = db
    .selectFrom('downloads')
    .leftJoin('datasetVersions', 'datasetVersions.id', 'versionId')
    .leftJoin('organizations', 'organizations.id', 'downloads.organizationId')
    .distinctOn('downloads.productId')
    .select(['downloads.productId', 'type', 'format', 'number as version', 'downloads.createdAt', 'downloads.id'])
    .select(['downloads.organizationId', 'organizations.name', 'isPersonal'])
    .where('userId', '=', userId)
    .where('type', '=', 'file')
    .orderBy('downloads.productId')
    .orderBy('downloads.createdAt', 'desc')
  const rows = await db.selectFrom(latest.as('latest')).selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(2000).execute()
  return rows.map(({ id: _id, createdAt, organizationId, name, isPersonal, ...row }) => ({
    ...row,
    ...(organizationId && name && isPersonal === false && { organization: { id: organizationId, name, isPersonal } }),
    createdAt: createdAt.toISOString(),
  }))
}

/** The generated files of a version, with their checksums. */
export async function findManifest(found: ServedEntry, number?: number): Promise<DownloadManifest> {
  const { product } = found
  const version = await versionOf(found, number)
  const files = await db.selectFrom('datasetFiles').selectAll().where('versionId', '=', version.id).orderBy('format').execute()
  return {
    product: { id: product.id, slug: product.slug, name: product.name },
    version: version.number,
    publishedAt: version.publishedAt?.toISOString() ?? null,
    rows: version.rows,
    columns: version.columns.map(({ name, type }) => ({ name, type })),
    files: (product.hasFile ? files : []).map(({ format, bytes, sha256 }) => ({
      format,
      name: fileNameOf(product.slug, version, format),
      bytes,
      sha256,
      mediaType: mediaTypeOf(format, version),
    })),
  }
}

export function mediaTypeOf(format: FileFormat, { originalFormat }: Pick<Version, 'originalFormat'>): string {
  return mediaTypes[format === 'original' ? originalFormat : format]
}

async function versionOf(entry: ServedEntry, number: number | undefined): Promise<Version> {
  const { product, version } = entry
  if (!version) stop('conflict', 'This dataset is not published yet.', { code: 'not_published' })
  if (number === undefined || number === version.number) return version
  const asked = (await findPublished(product.id, number)) ?? stop('notFound', 'There is no such version.', { code: 'unknown_version' })
  refuseLater(asked, entry)
  return asked
}

/** The requested rows and columns, if not all of them. */
function choiceOf({ columns, filters = [], sort }: DownloadRequest, version: Version): RowChoice | undefined {
  if (!columns?.length && filters.length === 0 && !sort) return undefined
  return checkChoice({ ...(columns?.length && { select: columns }), filters, ...(sort && { sort }) }, version.columns)
}

async function note(
  { type, format, choice }: Pick<Row<'downloads'>, 'type' | 'format' | 'choice'>,
  { product }: ServedEntry,
  version: Version,
  { id: userId, organization }: Person,
  address: string,
): Promise<string> {
  const id = newId()
  await transaction(async (trx) => {
    const taken = { userId, organizationId: organization.id, productId: product.id, versionId: version.id, type, format }
    await insert(trx, 'downloads', { id, ...taken, choice: choice && JSON.stringify(choice) })
    const detail = {
      product: product.slug,
      version: version.number,
      ...(format && { format }),
      ...organizationDetail(userId, organization.id),
    }
    const action = type === 'api' ? 'dataset_api_opened' : 'dataset_downloaded'
    await audit(trx, action, { actorId: userId, subjectId: userId, address, detail })
  })
  return id
}
