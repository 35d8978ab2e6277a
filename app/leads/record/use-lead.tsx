import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { leadUrl } from '#app/leads/lead/desk.ts'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { ApiError, apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { type EditableFact, factOf, findFact } from '#app/leads/lead/lead-facts.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { leadDetail, type LeadDetail, leadTimeline } from './timeline.ts'

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

const currentFacts = z.record(z.string(), z.unknown())

/** Someone else's values of the facts of a change, by name. */
export function conflictIn(error: Error | null): Record<string, unknown> | undefined {
  if (!(error instanceof ApiError) || error.problem?.code !== 'fields_changed') return undefined
  const read = currentFacts.safeParse(error.problem.current)
  return read.success ? read.data : undefined
}

export type FactChange = Partial<Record<EditableFact, { from: unknown; to: unknown }>>

/** Changes facts of a lead: at once, with an undo. A conflict stays with the caller, who shows both values. */
export function useLeadChange(reference: string) {
  const client = useQueryClient()
  const send = async (changes: FactChange) => leadDetail.parse(await (await apiRequest('PATCH', leadUrl(reference), { changes })).json())
  return useAction({
    send,
    onDone: (lead) => client.setQueryData<LeadDetail>([leadUrl(reference)], lead),
    done: (_lead, changes) => `${namesOf(changes)} saved`,
    undo: (_lead, changes) => async () =>
      send(Object.fromEntries(Object.entries(changes).map(([name, { from, to }]) => [name, { from: to, to: from }]))),
    failed: 'Not saved',
    touches: leadData,
    onRefused: (error) => conflictIn(error) !== undefined,
  })
}

function namesOf(changes: FactChange): string {
  return Object.keys(changes)
    .flatMap((name) => {
      const known = findFact(name)
      return known ? factOf(known).label : []
    })
    .join(', ')
}
