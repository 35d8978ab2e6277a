import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { z } from 'zod/mini'
import { useRefreshLeads } from '#app/leads/lead/use-lead-actions.tsx'
import { apiQuery, apiRequest, type Method } from '#app/platform/browser/api.ts'
import { onLiveEvent } from '#app/platform/browser/live-events.ts'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { undoButton } from '#app/ui/admin/undo.tsx'
import { UndoButton } from '#app/ui/admin/undo-button.tsx'
import { urlOf } from '#app/ui/admin/view.ts'
import { countOf } from '#app/ui/amount.ts'
import { toast } from '#app/ui/toast.ts'
import {
  type BulkChange,
  type BulkChoice,
  bulkResult,
  type DeskFilter,
  deskBoard,
  deskCounts,
  deskFilter,
  deskFilterKeys,
  deskPage,
  LEAD_BULK,
  LEAD_COLUMNS,
  LEAD_VIEWS,
  leadColumns,
  leadPipeline,
  LEADS_URL,
  leadView,
  undoneBatch,
} from '#app/leads/lead/desk.ts'

export const pipelineQuery = apiQuery(`${LEADS_URL}/pipeline`, leadPipeline)
export const leadColumnsQuery = apiQuery(LEAD_COLUMNS, leadColumns)
export const leadViewsQuery = apiQuery(LEAD_VIEWS, z.array(leadView))

export const leadPageQuery = (params: URLSearchParams) =>
  apiQuery(urlOf(LEADS_URL, params, [...deskFilterKeys, 'sort', 'cursor']), deskPage)
export const leadCountsQuery = (params: URLSearchParams) => apiQuery(urlOf(`${LEADS_URL}/counts`, params, [...deskFilterKeys]), deskCounts)
export const leadBoardQuery = (params: URLSearchParams) => apiQuery(urlOf(`${LEADS_URL}/board`, params, [...deskFilterKeys]), deskBoard)

/** The filters of the address, for a bulk change of all matches. Undefined when one of them is wrong. */
export function filterIn(params: URLSearchParams): DeskFilter | undefined {
  const read = deskFilter.safeParse(Object.fromEntries([...params].filter(([key, value]) => deskFilterKeys.includes(key) && value)))
  return read.success ? read.data : undefined
}

const bulkKey = [LEAD_BULK]

/** Reloads what is shown when leads change, here or elsewhere. Changes that are being sent reload it at their end. */
export function useLiveDesk(): void {
  const refresh = useRefreshLeads()
  const client = useQueryClient()
  const hear = useEffectEvent(() => client.isMutating({ mutationKey: bulkKey }) === 0 && void refresh())
  useEffect(() => onLiveEvent('leads', hear), [])
}

type Bulk = { choice: BulkChoice; change: BulkChange; done?: (() => void) | undefined }

/** Changes leads; the toast says what was changed, and has an undo. */
export function useBulk() {
  const refresh = useRefreshLeads()
  const client = useQueryClient()
  const pipeline = useQuery(pipelineQuery).data
  /** While another change is being sent, the server's lists lack it: showing them would undo it on the screen. */
  const refreshAfterLast = async () => client.isMutating({ mutationKey: bulkKey }) === 1 && (await refresh())
  return useMutation({
    mutationKey: bulkKey,
    // One after another: of two quick moves of a lead, the later one wins.
    scope: { id: LEAD_BULK },
    async mutationFn({ choice, change }: Bulk) {
      return bulkResult.parse(await (await apiRequest('POST', LEAD_BULK, { choice, change })).json())
    },
    async onSuccess({ id, changed }, { change, done }) {
      done?.()
      toast({
        title: textOf(change, changed, pipeline),
        ...(changed > 0 && { button: <UndoButton undo={() => void undoBulk(id, refresh)} /> }),
      })
      await refreshAfterLast()
    },
    async onError(error) {
      showFailure('Leads not changed', error)
      await client.invalidateQueries(pipelineQuery)
      await refreshAfterLast()
    },
  })
}

function textOf(change: BulkChange, changed: number, pipeline?: z.infer<typeof leadPipeline>): string {
  const leads = countOf(changed, 'lead', 'leads')
  if (changed === 0) return 'Nothing to change: it already is like that'
  if (change.change === 'stage') return `${leads} moved to ${pipeline?.stages.find(({ id }) => id === change.stageId)?.name ?? 'the stage'}`
  if (change.change === 'owner')
    return change.ownerId
      ? `${leads} assigned to ${pipeline?.owners.find(({ id }) => id === change.ownerId)?.name ?? 'the owner'}`
      : `${leads} unassigned`
  if (change.change === 'tag') return `${leads} tagged ${change.tag}`
  return change.change === 'untag' ? `Tag ${change.tag} removed from ${leads}` : `${leads} deleted`
}

async function undoBulk(id: string, refresh: () => Promise<unknown>): Promise<void> {
  try {
    const { restored, left } = undoneBatch.parse(await (await apiRequest('POST', `${LEAD_BULK}/${id}/undo`)).json())
    toast({
      title: `Undone for ${countOf(restored, 'lead', 'leads')}`,
      ...(left > 0 && { description: `${countOf(left, 'lead has', 'leads have')} changed since and stay as they are.` }),
    })
  } catch (error) {
    showFailure('Could not undo', error instanceof Error ? error : new Error('Could not undo'))
  }
  await refresh()
}

type LeadCall = { method: Method; url: string; body?: object; done: string; undo?: (() => Promise<unknown>) | undefined }

/** Sends a change of notes, tasks or the person, and reloads the lead. */
export function useLeadAction(failed: string, onDone?: () => void) {
  const refresh = useRefreshLeads()
  return useMutation({
    mutationFn: async ({ method, url, body }: LeadCall) => apiRequest(method, url, body),
    async onSuccess(_response, { done, undo }) {
      onDone?.()
      toast({ title: done, ...(undo && { button: undoButton({ send: undo, renew: refresh }) }) })
      await refresh()
    },
    onError: (error) => showFailure(failed, error),
  })
}
