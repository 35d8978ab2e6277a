import { useQuery, type QueryKey, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

/**
 * `useQuery` for the content of a page. Its first data is rendered in steps that let the browser respond in between: a table of a hundred rows
 * in one task would block a phone for a tenth of a second. Later data, and an error after data, is rendered at once.
 */
export function usePageQuery<Data, Key extends QueryKey>(options: UseQueryOptions<Data, Error, Data, Key>): UseQueryResult<Data> {
  const result = useQuery(options)
  const deferred = useDeferredValue(result)
  return deferred.isPending ? deferred : result
}
