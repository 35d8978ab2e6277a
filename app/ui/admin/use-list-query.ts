import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query'
import type { z } from 'zod/mini'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import type { ListFilter } from './list-filters.tsx'
import { useView } from './use-view.tsx'
import { urlOf } from './view.ts'

/** Asks the server for the view of a list that is in the address: its search, filters, order and page. The rows stay until the next ones arrive. */
export function useListQuery<Schema extends z.core.$ZodType>(
  url: string,
  schema: Schema,
  filters: readonly Pick<ListFilter, 'key'>[] = [],
): UseQueryResult<z.output<Schema>> {
  const { params } = useView()
  const keys = [...filters.map(({ key }) => key), 'sort', 'cursor']
  return usePageQuery({ ...apiQuery(urlOf(url, params, keys), schema), placeholderData: keepPreviousData })
}
