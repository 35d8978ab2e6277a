import type { Generated } from 'kysely'
import type { DataFormat, FileFormat } from '#app/datasets/catalog/format.ts'
import type { StoredParts } from '#app/datasets/import/upload.ts'
import type { Column, RowChoice } from '#app/datasets/catalog/column.ts'
import type {
  ColumnOffer,
  ColumnReadings,
  VersionDifference,
  Finding,
  Gate,
  HeadFault,
  VersionRefusal,
  VersionState,
} from '#app/datasets/catalog/version.ts'
import type { Json, JsonWithDefault, CreatedAt } from './column-kinds.ts'

/** The tables of the data marketplace. */
export type DatasetTables = {
  dataProducts: DataProducts
  datasetVersions: DatasetVersions
  datasetFiles: DatasetFiles
  datasetUploads: DatasetUploads
  entitlements: Entitlements
  productRequests: ProductRequests
  downloads: Downloads
  savedQueries: SavedQueries
  pastQueries: PastQueries
  apiKeys: ApiKeys
  apiQuotas: ApiQuotas
  apiUsage: ApiUsage
  apiKeyReads: ApiKeyReads
}

type DataProducts = {
  id: string
  slug: string
  position: number
  name: string
  description: string
  about: Generated<string>
  category: string
  priceCents: number
  isFree: boolean
  hasFile: Generated<boolean>
  hasApi: Generated<boolean>
  source: Generated<string>
  licence: Generated<string>
  licenceUrl: string | null
  lawfulBasis: Generated<string>
  updateFrequency: Generated<string>
  columnDescriptions: JsonWithDefault<Record<string, string>>
  maskedColumns: Generated<string[]>
  gate: JsonWithDefault<Gate>
  hidden: Generated<boolean>
  priceIncludes: Generated<'version' | 'year'>
  isSample: Generated<boolean>
  currentVersionId: string | null
  sampleData: string | null
  version: Generated<number>
  removedAt: Date | null
  erasedAt: Date | null
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type DatasetVersions = {
  id: string
  productId: string
  number: number
  state: Generated<VersionState>
  changes: Generated<string>
  originalName: string
  originalFormat: DataFormat
  originalBytes: number
  originalSha256: string
  rows: Generated<number>
  refusedRows: Generated<number>
  refusals: JsonWithDefault<VersionRefusal[]>
  columns: JsonWithDefault<Column[]>
  findings: JsonWithDefault<Finding[]>
  step: Generated<string>
  progress: Generated<number>
  failure: string | null
  difference: Json<VersionDifference> | null
  firstRows: JsonWithDefault<Record<string, unknown>[]>
  duplicates: JsonWithDefault<Record<string, number>>
  notes: Generated<string[]>
  createdBy: string
  createdAt: CreatedAt
  publishedAt: Date | null
  forcedReason: Generated<string>
  headFaults: JsonWithDefault<HeadFault[]>
  columnNames: JsonWithDefault<Record<string, string>>
  columnReadings: JsonWithDefault<ColumnReadings>
  columnOffers: JsonWithDefault<ColumnOffer[]>
}

type DatasetFiles = {
  versionId: string
  format: FileFormat
  storageKey: string
  bytes: number
  sha256: string
  createdAt: CreatedAt
}

type DatasetUploads = {
  id: string
  productId: string
  fileName: string
  format: DataFormat
  bytes: number
  sha256: string | null
  received: Generated<number>
  claimedBy: string | null
  claimedUntil: Date | null
  changes: Generated<string>
  metadata: JsonWithDefault<Record<string, string | null>>
  parts: Json<StoredParts> | null
  versionId: string | null
  createdBy: string
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type Entitlements = {
  id: string
  productId: string
  organizationId: string
  /** Null: granted to the organization as a whole. */
  userId: string | null
  /** Null: by a payment. */
  grantedBy: string | null
  note: Generated<string>
  paymentReference: Generated<string>
  orderId: string | null
  subscriptionId: string | null
  /** Versions that were published later are not included. Null: all are. */
  versionsUntil: Date | null
  /** While a payment is disputed. */
  suspendedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
  /** Revoked by a full refund or a lost dispute: a refund that fails gives it back. */
  revokedByPayment: Generated<boolean>
  /** The first query, or further page of its rows, of a member on the site. */
  readAt: Date | null
  createdAt: CreatedAt
}

type SavedQueries = {
  id: string
  productId: string
  userId: string
  name: string
  sql: string
  isShared: Generated<boolean>
  createdAt: CreatedAt
  updatedAt: Generated<Date>
}

type PastQueries = {
  id: string
  productId: string
  userId: string
  sql: string
  askedAt: Generated<Date>
}

type ProductRequests = {
  id: string
  productId: string
  organizationId: string
  userId: string
  contactId: string | null
  message: Generated<string>
  settledAt: Date | null
  outcome: 'granted' | 'declined' | null
  createdAt: CreatedAt
}

type Downloads = {
  id: string
  userId: string
  organizationId: string | null
  productId: string
  versionId: string | null
  type: 'file' | 'api'
  format: FileFormat | null
  choice: Json<RowChoice> | null
  createdAt: CreatedAt
}

type ApiKeys = {
  id: string
  organizationId: string
  /** Of a service key, its maker. */
  userId: string
  isService: Generated<boolean>
  name: string
  prefix: string
  keyHash: string
  productIds: string[] | null
  monthlyQuota: number
  countedAs: string
  replacedBy: string | null
  expiresAt: Date | null
  revokedAt: Date | null
  revokedBy: string | null
  lastUsedAt: Date | null
  createdAt: CreatedAt
}

type ApiQuotas = {
  keyId: string
  month: string
  used: Generated<number>
  told: Generated<number>
}

type ApiUsage = {
  keyId: string
  day: string
  requests: Generated<number>
  refused: Generated<number>
  rows: Generated<number>
}

type ApiKeyReads = {
  keyId: string
  productId: string
  readAt: Generated<Date>
}
