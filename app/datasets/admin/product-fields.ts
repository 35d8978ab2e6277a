import {
  blankProduct,
  productBody,
  productFieldNames,
  type ProductBody,
  type ProductFieldName,
  productLabels,
  productLimits,
  type StaffProduct,
} from '#app/datasets/catalog/product.ts'
import type { FormEdit } from '#app/ui/admin/use-edit-form.ts'
import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { slugOf } from '#app/blog/posts/post.ts'
import { gateFieldsOf, type GateFields, noGate, readGate } from './gate-fields.ts'

/** A product as its form holds it: text as typed. */
export type ProductFields = Omit<ProductBody, 'price' | 'isFree' | 'licenceUrl' | 'gate'> & {
  /** As a decimal amount. */
  price: string
  licenceUrl: string
  gate: GateFields
}

export type ProductEdit = FormEdit<ProductFields>

export type ProductFieldChange = Partial<ProductFields>

const nothing: ProductFields = { ...blankProduct, gate: noGate }

export function productFields(product: StaffProduct): ProductFields {
  const { price, licenceUrl, gate, ...written } = bodyOf(product)
  return { ...written, price: dollarsOf(price), licenceUrl: licenceUrl ?? '', gate: gateFieldsOf(gate) }
}

export function newProductEdit(): ProductEdit {
  return { fields: nothing, slugFollows: true }
}

/** The URL of an existing product may be bookmarked, so its slug changes only by hand. */
export function editProduct(product: StaffProduct): ProductEdit {
  return { fields: productFields(product), slugFollows: false }
}

/** Changes some fields. The slug of a new product follows its name until it is typed; once emptied, it follows again. */
export function changeProductField({ fields, slugFollows }: ProductEdit, change: ProductFieldChange): ProductEdit {
  const follows = change.slug === undefined ? slugFollows : change.slug === ''
  const next = { ...fields, ...change }
  if (follows && change.name !== undefined) next.slug = slugFor(next.name)
  return { fields: next, slugFollows: follows }
}

export function slugFor(name: string): string {
  return slugOf(name).slice(0, productLimits.slug).replace(/-$/, '')
}

/** `retail_prices-2026.csv` as `Retail prices 2026`: the proposed name of a product whose file was chosen first. */
export function nameOfFile(fileName: string): string {
  const words = fileName
    .replace(/(\.[a-z\d]+)+$/i, '')
    .replaceAll(/[-_.\s]+/g, ' ')
    .trim()
  return words.slice(0, 1).toUpperCase() + words.slice(1, productLimits.name)
}

/** Returns the request body, or an error for each invalid field. */
export function readProductFields(
  fields: ProductFields,
): { body: ProductBody; errors?: never } | { body?: never; errors: Record<string, string> } {
  const price = centsOf(fields.price)
  const { gate, errors: gateErrors } = readGate(fields.gate)
  const read = productBody.safeParse({
    ...fields,
    price: price ?? 0,
    isFree: price === 0,
    licenceUrl: fields.licenceUrl.trim() || null,
    columnDescriptions: described(fields.columnDescriptions),
    gate,
  })
  const found = {
    ...(price === undefined && { price: 'Enter dollars and cents, such as 19.99, or 0 for free' }),
    ...gateErrors,
    ...(!read.success && without(firstErrors(read.error), price === undefined ? ['isFree'] : [])),
  }
  if (read.success && Object.keys(found).length === 0) return { body: read.data }
  return { errors: inOrder(found) }
}

export function isSameProduct(one: ProductFields, other: ProductFields): boolean {
  return differences(one, other).length === 0
}

/** The differences from another version, for a comparison dialog. */
export function compareProducts(mine: ProductFields, newer: StaffProduct) {
  const theirs = productFields(newer)
  const textOf = (fields: ProductFields, name: ProductFieldName) => {
    const value = fields[name]
    return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
  }
  const named = differences(mine, theirs)
  return { differences: named.map((name) => ({ label: productLabels[name], mine: textOf(mine, name), theirs: textOf(theirs, name) })) }
}

/** The names of the fields that differ. */
function differences(one: ProductFields, other: ProductFields): ProductFieldName[] {
  const asText = (fields: ProductFields, name: ProductFieldName) => JSON.stringify(inAlphabet(fields[name]))
  return productFieldNames.filter((name) => asText(one, name) !== asText(other, name))
}

/** Drops empty descriptions. */
function described(descriptions: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(descriptions).filter(([, words]) => words.trim()))
}

function inAlphabet(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== '')
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, inAlphabet(one)]),
  )
}

function without(errors: Record<string, string>, names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)))
}

/** In the order of the form. */
function inOrder(errors: Record<string, string>): Record<string, string> {
  const placeOf = (path: string) => productFieldNames.findIndex((name) => name === (path.split('.')[0] ?? path))
  return Object.fromEntries(Object.entries(errors).toSorted(([a], [b]) => placeOf(a) - placeOf(b)))
}

/** The editable fields of a product, as sent to the server. `isFree` follows from the price. */
function bodyOf(product: StaffProduct) {
  const { id: _id, position: _position, version: _version, createdAt: _created, updatedAt: _updated, isFree: _free, ...rest } = product
  const { rows: _rows, bytes: _bytes, currentVersion: _current, newestState: _newest, openRequests: _open, ...body } = rest
  return body satisfies ProductBody
}

const DOLLARS = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{0,2}))?$/

/** Parses `1,999.5` as 199950 cents without floating point. Undefined for anything else. */
export function centsOf(typed: string): number | undefined {
  const [, dollars, cents = ''] = DOLLARS.exec(typed.trim()) ?? []
  if (!dollars) return undefined
  return Number(dollars.replaceAll(',', '') + cents.padEnd(2, '0'))
}

/** 199950 as `1999.50`: the initial value of a field in dollars. */
export function dollarsOf(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
