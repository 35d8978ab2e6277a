import { splitList } from '#app/dataset-rows/value-list.ts'
import { type Column, type Filter, type FilterOperator, filterOperators, type Sort } from '#app/datasets/column.ts'

/** Rows of one page. */
export const ROWS = 100

/** The parameters of a page's address; what has no value is taken away. */
export type Changes = Record<string, string | undefined>

/** How a filter stands in an address: of the page as of the API, so that either can be copied from the other. */
export const keyOf = ({ column, operator }: Pick<Filter, 'column' | 'operator'>) => `${column}[${operator}]`

export function filtersOf(params: URLSearchParams): Filter[] {
  return [...params].flatMap(([key, value]) => {
    const [, column, operator = ''] = /^(.+)\[(\w+)\]$/.exec(key) ?? []
    return column && value && isOperator(operator) ? [{ column, operator, value }] : []
  })
}

export function sortOf(params: URLSearchParams): Sort | undefined {
  const sort = params.get('sort')
  return sort ? { column: sort.replace(/^-/, ''), descending: sort.startsWith('-') } : undefined
}

/** The names of the columns that the address asks for, if it does. */
export function selectOf(params: URLSearchParams): string[] | undefined {
  const select = params.get('select')
  return select ? splitList(select) : undefined
}

/** Names as the address takes them; one with a comma stands in quotation marks. */
export function selectText(names: readonly string[]): string {
  return names.map((name) => (/[,"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',')
}

/** The columns that are shown: those that the address names, else all. */
export function shownColumns(params: URLSearchParams, columns: readonly Column[]): Column[] {
  const names = selectOf(params) ?? []
  const chosen = columns.filter(({ name }) => names.includes(name))
  return chosen.length > 0 ? chosen : [...columns]
}

/** Where the rows of a view are read: as the API is asked by anyone else. */
export function rowsUrl(slug: string, params: URLSearchParams): string {
  const asked = new URLSearchParams([...params].filter(([key, value]) => value && isAsked(key)))
  asked.set('limit', String(ROWS))
  return `/api/v1/datasets/${slug}/rows?${asked}`
}

/** Where the rows of a view are counted. */
export function countUrl(id: string, params: URLSearchParams): string {
  return `/api/data-products/${id}/count?${new URLSearchParams(filtersOf(params).map((filter) => [keyOf(filter), filter.value]))}`
}

/** A press on a bar or on a value asks for its rows, in place of what was asked of that column; pressed again, it asks for all. */
export function pressed(params: URLSearchParams, wanted: readonly Filter[]): Changes {
  const columns = new Set(wanted.map(({ column }) => column))
  const cleared = filtersOf(params).filter(({ column }) => columns.has(column))
  const chosen = isChosen(params, wanted) ? [] : wanted
  return Object.fromEntries([
    ...cleared.map((filter) => [keyOf(filter), undefined] as const),
    ...chosen.map((filter) => [keyOf(filter), filter.value] as const),
  ])
}

export function isChosen(params: URLSearchParams, wanted: readonly Filter[]): boolean {
  return wanted.length > 0 && wanted.every((filter) => params.get(keyOf(filter)) === filter.value)
}

/** Everything that chooses rows is taken away; columns and order stay. */
export function withoutFilters(params: URLSearchParams): Changes {
  return Object.fromEntries(filtersOf(params).map((filter) => [keyOf(filter), undefined]))
}

/** The next order of a column whose head is pressed: up, down, that of the file. */
export function nextSort(params: URLSearchParams, column: string): string | undefined {
  const sort = sortOf(params)
  if (sort?.column !== column) return column
  return sort.descending ? undefined : `-${column}`
}

const words: Record<FilterOperator, string> = {
  eq: 'is',
  ne: 'is not',
  gt: 'above',
  gte: 'from',
  lt: 'below',
  lte: 'up to',
  in: 'is one of',
  contains: 'contains',
  starts: 'starts with',
  null: 'is empty:',
}

/** `price from 20`. */
export function filterInWords({ column, operator, value }: Filter): string {
  if (operator === 'null') return `${column} ${value === 'true' ? 'is empty' : 'has a value'}`
  return `${column} ${words[operator]} ${value}`
}

export const operatorWords = words

/** What can be asked of a column of this type. */
export function operatorsFor({ type }: Column): FilterOperator[] {
  if (type === 'list' || type === 'object') return ['null']
  if (type === 'boolean') return ['eq', 'null']
  if (type === 'text') return ['contains', 'eq', 'ne', 'starts', 'in', 'null']
  return ['gte', 'lte', 'eq', 'ne', 'gt', 'lt', 'null']
}

function isAsked(key: string): boolean {
  return ['select', 'sort', 'cursor'].includes(key) || filtersOf(new URLSearchParams([[key, '1']])).length > 0
}

function isOperator(text: string): text is FilterOperator {
  return filterOperators.some((operator) => operator === text)
}
