import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { queryFault, type QueryResult } from './query.ts'

/** Queries a dataset, one query at a time: a new query or unmounting cancels the previous one. */
export function useQuestion(productId: string) {
  const asking = useRef<AbortController>(null)
  const question = useMutation({
    mutationFn: async (sql: string): Promise<QueryResult | undefined> => {
      asking.current?.abort()
      const mine = (asking.current = new AbortController())
      try {
        return await (await apiRequest('POST', `${PRODUCTS}/${productId}/query`, { sql }, { signal: mine.signal })).json()
      } catch (error) {
        if (mine.signal.aborted) return undefined
        throw error
      }
    },
  })
  return { ...question, cancel: () => asking.current?.abort() }
}

/** The position of an error in the query, in characters from 0. */
export function faultOf(error: Error | null): number | undefined {
  const problems = error instanceof ApiError ? error.problem?.problems : undefined
  const read = queryFault.safeParse(Array.isArray(problems) ? problems[0] : undefined)
  return read.success ? read.data.position : undefined
}

/** Counted from 1. */
export function lineAndColumn(sql: string, position: number): { line: number; column: number } {
  const before = sql.slice(0, position).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
