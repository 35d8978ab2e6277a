import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { leadData, leadEvents, useRefreshLeads } from '#app/leads/lead/use-lead-actions.tsx'
import { ApiError, apiQuery, apiRequest, type Method } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { useLiveData } from '#app/ui/admin/use-live-data.ts'
import { UndoButton } from '#app/ui/admin/undo.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { urlOf } from '#app/ui/admin/view.ts'
import { countOf } from '#app/ui/amount.ts'
import { toast } from '#app/ui/toast.ts'
import {
  type BulkChange,
  type BulkChoice,
  bulkResult,
  defaultLeadColumns,
  type DeskCounts,
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

/** The data of the view in the URL: a page of leads or the board, the counts of matches, and the pipeline. */
export function useDesk({ isBoard }: { isBoard: boolean }) {
  const { params } = useView()
  const pipeline = usePageQuery(pipelineQuery)
  const page = usePageQuery({ ...leadPageQuery(params), placeholderData: keepPreviousData, enabled: !isBoard })
  const board = usePageQuery({ ...leadBoardQuery(params), placeholderData: keepPreviousData, enabled: isBoard })
  const columns = useQuery(leadColumnsQuery).data?.columns ?? defaultLeadColumns
  const everyStage = new URLSearchParams(params)
  everyStage.delete('stage')
  const counted = useQuery({ ...leadCountsQuery(everyStage), placeholderData: keepPreviousData }).data
  const list = pipeline.isError ? pipeline : isBoard ? board : page
  const rows = isBoard ? board.data?.stages.flatMap(({ leads }) => leads) : page.data?.leads
  return {
    pipeline: pipeline.data,
    board: board.data,
    columns,
    list,
    rows: pipeline.data && rows,
    place: { next: page.data?.nextCursor, previous: page.data?.previousCursor ?? null },
    /** Also of the stages that a filter leaves out. */
    counted,
    counts: counted && inStages(counted, params.get('stage')),
  }
}

/** The matches in the stages of a filter. */
function inStages(counts: DeskCounts, filter: string | null): DeskCounts {
  if (!filter) return counts
  const stages = counts.stages.filter(({ id }) => filter.split(',').includes(String(id)))
  return { ...counts, stages, total: stages.reduce((sum, { count }) => sum + count, 0) }
}

/** The filters of the address, for a bulk change of all matches. Undefined when one of them is wrong. */
export function filterIn(params: URLSearchParams): DeskFilter | undefined {
  const read = deskFilter.safeParse(Object.fromEntries([...params].filter(([key, value]) => deskFilterKeys.includes(key) && value)))
  return read.success ? read.data : undefined
}

/** Reloads what is shown when leads change, here or elsewhere. */
export function useLiveDesk(): void {
  useLiveData(leadEvents, leadData)
}

/** Leads for a change: `count` of them, by id or by a filter. `done` clears the selection. */
export type ChosenLeads = { choice: BulkChoice; count: number; done?: (() => void) | undefined }

export function extentOf({ choice, count }: ChosenLeads): string {
  const extent = 'ids' in choice ? '' : choice.count === undefined ? 'about ' : 'all '
  return `${extent}${countOf(count, 'lead', 'leads')}`
}

/** Another number of leads matches than a dialog says. */
export function isOutdated(error: Error): boolean {
  return error instanceof ApiError && error.problem?.code === 'matches_changed'
}

type Bulk = { choice: BulkChoice; change: BulkChange; done?: (() => void) | undefined }

/** Changes leads; the toast says what was changed, and has an undo. */
export function useBulk() {
  const refresh = useRefreshLeads()
  const pipeline = useQuery(pipelineQuery).data
  return useAction({
    // Of two quick moves of a lead, the later one wins.
    line: LEAD_BULK,
    send: async ({ choice, change }: Bulk) => bulkResult.parse(await (await apiRequest('POST', LEAD_BULK, { choice, change })).json()),
    onDone: (_result, { done }) => done?.(),
    done: ({ id, changed }, { change }) => ({
      title: textOf(change, changed, pipeline),
      ...(changed > 0 && { button: <UndoButton undo={() => void undoBulk(id, refresh)} /> }),
    }),
    failed: 'Leads not changed',
    touches: leadData,
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
  return useAction({
    send: async ({ method, url, body }: LeadCall) => apiRequest(method, url, body),
    done: (_response, { done }) => done,
    undo: (_response, { undo }) => undo,
    failed,
    touches: leadData,
    onDone: () => onDone?.(),
  })
}
