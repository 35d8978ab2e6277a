import { splitList } from '#app/datasets/rows/value-list.ts'
import { type Column, type Filter, type FilterOperator, filterOperators, type RowSort } from '#app/datasets/catalog/column.ts'

/** Rows per page. */
export const ROW_PAGE_SIZES = 100

/** Changes to the parameters of a page's URL; undefined removes one. */
export type Changes = Record<string, string | undefined>

/** The parameter of a filter, the same for the page and the API, so either URL can be copied from the other. */
export const rowViewKey = ({ column, operator }: Pick<Filter, 'column' | 'operator'>) => `${column}[${operator}]`

export function filtersOf(params: URLSearchParams): Filter[] {
  return [...params].flatMap(([key, value]) => {
    const [, column, operator = ''] = /^(.+)\[(\w+)\]$/.exec(key) ?? []
    return column && value && isOperator(operator) ? [{ column, operator, value }] : []
  })
}

export function sortOf(params: URLSearchParams): RowSort | undefined {
  const sort = params.get('sort')
  return sort ? { column: sort.replace(/^-/, ''), descending: sort.startsWith('-') } : undefined
}

/** The columns selected in the URL, if any. */
export function selectOf(params: URLSearchParams): string[] | undefined {
  const select = params.get('select')
  return select ? splitList(select) : undefined
}

/** Comma-separated names; one with a comma is quoted. */
export function selectedColumnsText(names: readonly string[]): string {
  return names.map((name) => (/[,"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',')
}

/** The visible columns: those in the URL, else all. */
export function shownColumns(params: URLSearchParams, columns: readonly Column[]): Column[] {
  const names = selectOf(params) ?? []
  const chosen = columns.filter(({ name }) => names.includes(name))
  return chosen.length > 0 ? chosen : [...columns]
}

/** The API URL of a view's rows. */
export function rowsUrl(slug: string, params: URLSearchParams): string {
  const asked = new URLSearchParams([...params].filter(([key, value]) => value && isAsked(key)))
  asked.set('limit', String(ROW_PAGE_SIZES))
  return `/api/v1/datasets/${slug}/rows?${asked}`
}

/** The API URL of a view's row count. */
export function countUrl(id: string, params: URLSearchParams): string {
  return `/api/data-products/${id}/count?${new URLSearchParams(filtersOf(params).map((filter) => [rowViewKey(filter), filter.value]))}`
}

/** Clicking a bar or value filters by it, in place of other filters on that column. Clicking it again clears the filter. */
export function pressed(params: URLSearchParams, wanted: readonly Filter[]): Changes {
  const columns = new Set(wanted.map(({ column }) => column))
  const cleared = filtersOf(params).filter(({ column }) => columns.has(column))
  const chosen = isChosen(params, wanted) ? [] : wanted
  return Object.fromEntries([
    ...cleared.map((filter) => [rowViewKey(filter), undefined] as const),
    ...chosen.map((filter) => [rowViewKey(filter), filter.value] as const),
  ])
}

export function isChosen(params: URLSearchParams, wanted: readonly Filter[]): boolean {
  return wanted.length > 0 && wanted.every((filter) => params.get(rowViewKey(filter)) === filter.value)
}

/** Removes all filters; columns and sorting stay. */
export function withoutFilters(params: URLSearchParams): Changes {
  return Object.fromEntries(filtersOf(params).map((filter) => [rowViewKey(filter), undefined]))
}

/** The next sort order when a column head is clicked: ascending, descending, file order. */
export function nextSort(params: URLSearchParams, column: string): string | undefined {
  const sort = sortOf(params)
  if (sort?.column !== column) return column
  return sort.descending ? undefined : `-${column}`
}

const words: Record<FilterOperator, string> = {
  eq: 'is',
  ne: 'is not',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  in: 'is one of',
  contains: 'contains',
  starts: 'starts with',
  null: 'is empty',
}
const wordsForTimes: Record<FilterOperator, string> = { ...words, gt: 'after', gte: 'on or after', lt: 'before', lte: 'on or before' }

/** `price ≥ 20`, `day on or after 2026-01-31`. */
export function filterInWords({ column, operator, value }: Filter): string {
  if (operator === 'null') return `${column} ${value === 'true' ? 'is empty' : 'has a value'}`
  // The URL does not have the type of the column.
  return `${column} ${(/^\d{4}-\d{2}-\d{2}/.test(value) ? wordsForTimes : words)[operator]} ${value}`
}

/** The names of the operators for a column of this type. */
export function operatorWords(type: Column['type'] | undefined): Record<FilterOperator, string> {
  return type === 'date' || type === 'timestamp' ? wordsForTimes : words
}

/** The operators for a column of this type. */
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
