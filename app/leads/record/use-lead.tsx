import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { leadUrl } from '#app/leads/lead/desk.ts'
import { type LeadChange, useLeadChange } from '#app/leads/lead/use-lead-change.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { factOf, findFact } from '#app/leads/lead/lead-facts.ts'
import { leadDetail, leadTimeline } from './timeline.ts'

export const leadQuery = (reference: string) => apiQuery(leadUrl(reference), leadDetail)

/** The timeline, page by page. */
export function useTimeline(reference: string, scope: 'lead' | 'person') {
  const url = `${leadUrl(reference)}/timeline?scope=${scope}`
  return useInfiniteQuery({
    queryKey: [url, 'pages'],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) =>
      apiQuery(pageParam ? `${url}&cursor=${encodeURIComponent(pageParam)}` : url, leadTimeline).queryFn({ signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** Changes facts of a lead; the toast names them. */
export const useFactChange = (reference: string) => useLeadChange(reference, (changes) => `${namesOf(changes)} saved`)

function namesOf(changes: LeadChange): string {
  return Object.keys(changes)
    .flatMap((name) => {
      const known = findFact(name)
      return known ? factOf(known).label : []
    })
    .join(', ')
}
