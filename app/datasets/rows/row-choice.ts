import {
  type Column,
  type ColumnType,
  type Filter,
  filterOperators,
  type FilterOperator,
  type RowChoice,
  type RowSort,
} from '#app/datasets/catalog/column.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { splitList } from './value-list.ts'
import { typedValue } from './typed-value.ts'

type Known = Pick<Column, 'name' | 'type'>
type Query = Record<string, string | string[]>

export const choiceLimits = { filters: 50, values: 1000 } as const

const isNested = (type: ColumnType) => type === 'list' || type === 'object'

/**
 * Parses a query of the API: `select=a,b`, `sort=-price`, `price[gte]=5`, `city=Rome`. A column with a reserved name is filtered by
 * `sort[eq]=…`. Throws an error for each unknown name and invalid value.
 */
export function readChoice(query: Query, columns: readonly Known[]): RowChoice {
  const { select, sort, ...rest } = query
  const names = new Set(columns.map(({ name }) => name))
  const filters = Object.entries(rest).flatMap(([field, given]) => list(given).map((value) => toFilter(field, value, names)))
  const chosen = list(select).flatMap((text) => (names.has(text) ? [text] : splitList(text)))
  return checkChoice({ ...(chosen.length > 0 && { select: chosen }), filters, ...sortOf(list(sort), names) }, columns)
}

/** The same choice with each column once. Throws an error for each invalid field. */
export function checkChoice(choice: RowChoice, columns: readonly Known[]): RowChoice {
  const known = new Map(columns.map((column) => [column.name, column]))
  const errors: Record<string, string> = {}
  const select = choice.select && [...new Set(choice.select)]
  for (const name of select ?? []) if (!known.has(name)) errors['select'] = `There is no column ${shown(name)}`
  if (choice.sort) Object.assign(errors, sortErrors(choice.sort, known))
  if (choice.filters.length > choiceLimits.filters) errors['filters'] = `Use at most ${choiceLimits.filters} filters`
  for (const filter of choice.filters.slice(0, choiceLimits.filters)) {
    const error = filterError(filter, known.get(filter.column))
    if (error) errors[shown(fieldOf(filter))] = error
  }
  const told = Object.entries(errors).map(([field, error]) => `${field}: ${error}`)
  if (told.length > 0) stop('unprocessable', `Invalid query. ${told.slice(0, 3).join('. ')}.`, { code: 'validation_failed', errors })
  return { ...choice, ...(select && { select }) }
}

function list(given: string | string[] | undefined): string[] {
  return given === undefined ? [] : [given].flat()
}

/** A column name alone means equality, also where the name itself has brackets. */
function toFilter(field: string, value: string, names: ReadonlySet<string>): Filter {
  const [, column = '', word] = /^(.*)\[(\w+)\]$/s.exec(field) ?? []
  const operator = filterOperators.find((each) => each === word)
  if (names.has(field) || !operator) return { column: field, operator: 'eq', value }
  return { column, operator, value }
}

function sortOf(given: string[], names: ReadonlySet<string>): { sort?: RowSort } {
  const [text] = given
  if (text === undefined) return {}
  if (given.length > 1) stop('unprocessable', 'Rows can be sorted by one column only.', { errors: { sort: 'Sort by one column' } })
  const descending = text.startsWith('-') && !names.has(text)
  return { sort: { column: descending ? text.slice(1) : text, descending } }
}

function sortErrors({ column }: RowSort, known: ReadonlyMap<string, Known>): Record<string, string> {
  const found = known.get(column)
  if (!found) return { sort: `There is no column ${shown(column)}` }
  return isNested(found.type) ? { sort: `${shown(column)} has lists or objects and cannot be sorted` } : {}
}

function filterError({ column, operator, value }: Filter, found: Known | undefined): string | undefined {
  if (!found) return `There is no column ${shown(column)}`
  if (!operatorsOf(found.type).includes(operator)) return `${shown(column)} has ${inWords[found.type]} and does not support [${operator}]`
  const values = operator === 'in' ? splitList(value) : [value]
  if (values.length > choiceLimits.values) return `Use at most ${choiceLimits.values} values`
  for (const each of values) {
    const typed = typedValue(operator === 'null' ? 'boolean' : found.type, each)
    if ('must' in typed) return `This must be ${typed.must}`
  }
  return undefined
}

/** The operators for a type. */
export function operatorsOf(type: ColumnType): FilterOperator[] {
  if (isNested(type)) return ['null']
  if (type === 'boolean') return ['eq', 'ne', 'in', 'null']
  return filterOperators.filter((operator) => type === 'text' || (operator !== 'contains' && operator !== 'starts'))
}

const inWords: Record<ColumnType, string> = {
  text: 'text',
  integer: 'whole numbers',
  number: 'numbers',
  boolean: 'true or false',
  date: 'dates',
  timestamp: 'times',
  list: 'lists',
  object: 'objects',
}

function fieldOf({ column, operator }: Filter): string {
  return operator === 'eq' ? column : `${column}[${operator}]`
}

/** A column name can have any length. */
function shown(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name
}
