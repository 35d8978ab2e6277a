import { limits, productBody, type ProductBody, type StaffProduct } from '#app/datasets/product.ts'
import { firstErrors } from '#app/platform/first-errors.ts'
import { slugOf } from '#app/posts/post.ts'
import { bodyOf } from './product-body.ts'
import { gateFieldsOf, type GateFields, noGate, readGate } from './gate-fields.ts'
import { centsOf, dollarsOf } from './price.ts'

/** A product as its form holds it: what is typed, whole or not. */
export type ProductFields = Omit<ProductBody, 'price' | 'isFree' | 'licenceUrl' | 'gate'> & {
  /** In dollars. */
  price: string
  licenceUrl: string
  gate: GateFields
}

/** The fields, and whether the address is still made of the name. */
export type Writing = { fields: ProductFields; slugFollows: boolean }

export type Change = Partial<ProductFields>

const nothing: ProductFields = {
  name: '',
  slug: '',
  description: '',
  about: '',
  category: '',
  price: '',
  hasFile: true,
  hasApi: true,
  hidden: true,
  source: '',
  licence: '',
  licenceUrl: '',
  lawfulBasis: '',
  updateFrequency: '',
  columnDescriptions: {},
  maskedColumns: [],
  gate: noGate,
}

export function fieldsOf(product: StaffProduct): ProductFields {
  const { price, licenceUrl, gate, ...written } = bodyOf(product)
  return { ...written, price: dollarsOf(price), licenceUrl: licenceUrl ?? '', gate: gateFieldsOf(gate) }
}

export function startNew(): Writing {
  return { fields: nothing, slugFollows: true }
}

/** The address of a product that there is may be kept by someone, so it changes by hand alone. */
export function startFrom(product: StaffProduct): Writing {
  return { fields: fieldsOf(product), slugFollows: false }
}

/** What is typed into some fields. The address of a new product follows its name until someone types it; emptied, it follows again. */
export function write({ fields, slugFollows }: Writing, change: Change): Writing {
  const follows = change.slug === undefined ? slugFollows : change.slug === ''
  const next = { ...fields, ...change }
  if (follows && change.name !== undefined) next.slug = slugFor(next.name)
  return { fields: next, slugFollows: follows }
}

export function slugFor(name: string): string {
  return slugOf(name).slice(0, limits.slug).replace(/-$/, '')
}

/** `retail_prices-2026.csv` as `Retail prices 2026`: what a product may be called whose file was chosen before its name. */
export function nameOfFile(fileName: string): string {
  const words = fileName
    .replace(/(\.[a-z\d]+)+$/i, '')
    .replaceAll(/[-_.\s]+/g, ' ')
    .trim()
  return words.slice(0, 1).toUpperCase() + words.slice(1, limits.name)
}

/** What is sent, or a sentence for each field that stands in the way of it. */
export function readFields(
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
    ...(price === undefined && { price: 'Give dollars and cents, such as 19.99, or 0 for free' }),
    ...gateErrors,
    ...(!read.success && without(firstErrors(read.error), price === undefined ? ['isFree'] : [])),
  }
  if (read.success && Object.keys(found).length === 0) return { body: read.data }
  return { errors: inOrder(found) }
}

/** Whether two forms hold the same. */
export function isSame(one: ProductFields, other: ProductFields): boolean {
  return differences(one, other).length === 0
}

/** The fields in which two forms differ, by name. */
export function differences(one: ProductFields, other: ProductFields): string[] {
  const asText = (fields: ProductFields, name: string) => JSON.stringify(inAlphabet(Reflect.get(fields, name)))
  return Object.keys(nothing).filter((name) => asText(one, name) !== asText(other, name))
}

/** A column without a word has no description. */
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
  const names = Object.keys(nothing)
  const placeOf = (path: string) => names.indexOf(path.split('.')[0] ?? path)
  return Object.fromEntries(Object.entries(errors).toSorted(([a], [b]) => placeOf(a) - placeOf(b)))
}
