import { z } from 'zod/mini'
import { atMost, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { UUID } from '#app/platform/text/uuid.ts'
import { COLUMN, column } from './column.ts'
import { fileFormats } from './format.ts'
import { offer, onceIncludes } from './offer.ts'
import { gate, publicVersion } from './version.ts'

/** The maximum length of each field in characters; the price in cents. */
export const productLimits = {
  slug: 80,
  name: 120,
  description: 500,
  about: 10_000,
  category: 60,
  priceCents: 100_000_000,
  text: 500,
  columnDescription: 300,
} as const

const SLUG = /^[a-z\d]+(-[a-z\d]+)*$/
/** An id rather than a slug. */
const WEB_ADDRESS = /^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/iu

const line = (label: string, most: number) =>
  z.string(`${label} is required`).check(z.overwrite(oneLine), ...atMost(most, `${label} must be at most ${most} characters`))
const required = (label: string, most: number) => line(label, most).check(z.minLength(1, `${label} is required`))
const optional = (label: string) => z._default(line(label, productLimits.text), '')

const columnName = z.string('A column name must be text').check(z.regex(COLUMN, 'A column name must be text without control characters'))

/** A field that the form shows as text. */
const textField = <Given extends z.core.$ZodType>(label: string, given: Given) => ({ label, given, blank: '' })

/**
 * Every field that staff write, in the order of the form: its label, its schema in a request, and its value in an empty form. All other lists
 * of fields are derived from it.
 */
const productTable = {
  name: textField('Name', required('Name', productLimits.name)),
  slug: textField(
    'Slug',
    z.string('Slug is required').check(
      z.trim(),
      z.regex(SLUG, 'Slug may have lowercase letters, digits and single hyphens between them'),
      z.refine((slug) => !UUID.test(slug), 'Slug must not look like an id'),
      z.maxLength(productLimits.slug, `Slug must be at most ${productLimits.slug} characters`),
    ),
  ),
  description: textField('Description', required('Description', productLimits.description)),
  about: textField(
    'About the data',
    z._default(
      z
        .string('About must be text')
        .check(z.overwrite(manyLines), ...atMost(productLimits.about, `About must be at most ${productLimits.about} characters`)),
      '',
    ),
  ),
  category: textField('Category', required('Category', productLimits.category)),
  /** In cents; the form has a decimal amount. */
  price: textField(
    'Price',
    z
      .int('Price must be whole cents')
      .check(z.minimum(0, 'Price must not be negative'), z.maximum(productLimits.priceCents, 'Price is too high')),
  ),
  priceIncludes: {
    label: 'The price includes',
    given: z._default(z.enum(onceIncludes, 'Choose what the price includes'), 'year'),
    blank: 'year' as const,
  },
  hasFile: { label: 'File download', given: z._default(z.boolean('File download is true or false'), true), blank: true },
  hasApi: { label: 'API access', given: z._default(z.boolean('API access is true or false'), true), blank: true },
  hidden: { label: 'Hidden', given: z._default(z.boolean('Hidden is true or false'), true), blank: true },
  source: textField('Source', optional('Source')),
  licence: textField('License', optional('License')),
  licenceUrl: textField(
    'License URL',
    z.nullish(z.string('License URL must be text').check(z.regex(WEB_ADDRESS, 'License URL must begin with http'))),
  ),
  lawfulBasis: textField('Lawful basis', optional('Lawful basis')),
  updateFrequency: textField('Updated', optional('Update frequency')),
  columnDescriptions: {
    label: 'Descriptions of columns',
    given: z._default(z.record(columnName, line('A description', productLimits.columnDescription)), {}),
    blank: {},
  },
  maskedColumns: { label: 'Personal columns', given: z._default(z.array(columnName), []), blank: [] },
  gate: { label: 'Quality checks', given: z._default(gate, {}), blank: {} },
}

type ProductTable = typeof productTable
export type ProductFieldName = keyof ProductTable

/** One column of the table. */
function columnOf<Column extends keyof ProductTable['name']>(column: Column) {
  const cells = Object.entries(productTable).map(([name, field]) => [name, field[column]])
  // TypeScript does not carry the names of keys through entries.
  const found: { [Name in ProductFieldName]: ProductTable[Name][Column] } = Object.fromEntries(cells)
  return found
}

/** The names of the fields, in the order of the form. */
export const productFieldNames = z.keyof(z.object(columnOf('given'))).options

export const productLabels: Readonly<Record<ProductFieldName, string>> = columnOf('label')

/** The values of an empty form. */
export const blankProduct = columnOf('blank')

/** The body to create or change a product. A price of 0 and `isFree` must agree. */
export const productBody = z.object({ ...columnOf('given'), isFree: z.optional(z.boolean('Free is true or false')) }).check(
  z.refine(({ price, isFree }) => isFree === undefined || isFree === (price === 0), {
    message: 'A product is free exactly when its price is 0',
    path: ['isFree'],
  }),
  z.refine(({ hasFile, hasApi }) => hasFile || hasApi, { message: 'Offer a file, the API or both', path: ['hasFile'] }),
)

export type ProductBody = z.infer<typeof productBody>

/**
 * A user's access to a product. `signIn`: not signed in; `confirm`: email not confirmed yet; `pay`: paid and not granted; `granted`: full
 * access. Staff always have full access.
 */
const accessStates = ['signIn', 'confirm', 'pay', 'granted'] as const

export type ProductAccess = (typeof accessStates)[number]

/** The written fields that the catalog and the API list, as the database has them. */
export const listedFields = z.object({
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  category: z.string(),
  updateFrequency: z.string(),
})

/** Those that only the page of a product has. */
export const pageFields = z.object({
  about: z.string(),
  source: z.string(),
  licence: z.string(),
  licenceUrl: z.nullable(z.string()),
  lawfulBasis: z.string(),
})

/**
 * A product in API responses. Prices are in cents; `sampleData` is a JSON array of the first rows. `downloadUrl` and `apiEndpoint` are
 * absent if the product is not offered that way or has no data yet. `checkoutUrl` is there for one that is bought online.
 */
export const dataProduct = z.object({
  id: z.string(),
  ...listedFields.shape,
  price: z.number(),
  isFree: z.boolean(),
  downloadUrl: z.optional(z.string()),
  apiEndpoint: z.optional(z.string()),
  checkoutUrl: z.optional(z.string()),
  /** Of an installation on one's own machine, to try what buying is like. */
  isSample: z.boolean(),
  sampleData: z.nullable(z.string()),
  rows: z.number(),
  /** Of the Parquet file. */
  bytes: z.number(),
  /** Of the current version; null before the first one. */
  updatedAt: z.nullable(z.string()),
  access: z.enum(accessStates),
})

export type DataProduct = z.infer<typeof dataProduct>

/** A file that exists, or one generated on first use, whose size and checksum are unknown until then. */
const productFile = z.object({
  format: z.enum(fileFormats),
  name: z.string(),
  bytes: z.nullable(z.number()),
  sha256: z.nullable(z.string()),
})

export type ProductFile = z.infer<typeof productFile>

const { slug, name, description, price } = dataProduct.shape
const relatedFields = { slug, name, description, price }

/** The public facts of a product, for its page. */
export const productDetail = z.extend(dataProduct, {
  ...pageFields.shape,
  columns: z.array(column),
  files: z.array(productFile),
  versions: z.array(publicVersion),
  /** The ways to buy it; empty for a free one. */
  offers: z.array(offer),
  related: z.array(z.object(relatedFields)),
})

export type ProductDetail = z.infer<typeof productDetail>

/** A product in the staff's list. */
export const staffProduct = z.object({
  ...productBody.def.shape,
  id: z.string(),
  position: z.number(),
  version: z.number(),
  rows: z.number(),
  bytes: z.number(),
  currentVersion: z.nullable(z.number()),
  newestState: z.nullable(z.enum(['processing', 'refused', 'ready', 'published'])),
  openRequests: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

export type StaffProduct = z.infer<typeof staffProduct>
