import { formatValue } from '#app/leads/lead/format.ts'
import { InQuarantine } from './in-quarantine.tsx'
import { summaryQuery } from './summary-query.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Columns3Icon, FileDownIcon, KeyboardIcon, SquareKanbanIcon, Table2Icon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { GUARD_NOTE } from '#app/platform/tables/formula-guard.ts'
import { TableToolbar } from '#app/ui/admin/data-table.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { useTable } from '#app/ui/admin/use-table.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { urlOf, withChanges } from '#app/ui/admin/view.ts'
import { countOf } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { cx } from '#app/ui/class-names.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Later, laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { defaultLeadColumns, type DeskCounts, deskFilterKeys, type DeskLead, type LeadPipeline, LEADS_URL } from '#app/leads/lead/desk.ts'
import type { DeskDialogState } from './desk-dialogs.tsx'
import { ActiveFilters, DeskFilters, nothingFiltered } from './desk-filters.tsx'
import { DeskViews } from './desk-views.tsx'
import { DeskTable, type LeadAction, leadTableColumns } from './lead-table.tsx'
import { filterIn, leadColumnsQuery, leadCountsQuery, leadPageQuery, pipelineQuery, useLiveDesk } from './use-desk.tsx'
import { type EarlyKeys, focusedLead, focusLead, focusSearch, useDeskKeys, useEarlyKeys } from './use-desk-keys.tsx'

const dialogCode = laterCode('The dialog', () => import('./desk-dialogs.tsx'))
const boardCode = laterCode('The board', () => import('./lead-board.tsx'))
const newCode = laterCode('The form', () => import('./new-lead-dialog.tsx'))
const columnCode = laterCode('The columns', () => import('./column-dialog.tsx'))

/** All leads: searched, filtered, sorted and paged by the server. */
export function LeadDesk() {
  const pipeline = usePageQuery(pipelineQuery)
  const early = useEarlyKeys()
  useLiveDesk()
  if (pipeline.isPending) return <DeskLoading early={early} />
  if (pipeline.isError) return <Failed as="h2" error={pipeline.error} retry={pipeline.refetch} />
  return <Desk pipeline={pipeline.data} early={early} />
}

function DeskLoading({ early }: { early: EarlyKeys }) {
  useDeskKeys({}, { early, isWaiting: true })
  return (
    <div className="grid grid-cols-1 gap-3">
      <Loading>Loading leads...</Loading>
      <div aria-hidden="true" className="grid animate-pulse grid-cols-4 gap-2 xl:grid-cols-7">
        {Array.from({ length: 7 }, (_, at) => (
          <div key={at} className="h-13 rounded-card border border-line bg-surface max-xl:nth-[n+5]:hidden" />
        ))}
      </div>
      <div aria-hidden="true" className="h-(--control) animate-pulse rounded-control border border-line bg-surface" />
      <RowsSkeleton rows={15} columns={6} />
    </div>
  )
}

function Desk({ pipeline, early }: { pipeline: LeadPipeline; early: EarlyKeys }) {
  const { params, change } = useView()
  const [dialog, setDialog] = useState<DeskDialogState>()
  // One key opens the dialog and the next one belongs to its field, so the dialog is loaded in advance.
  useEffect(() => dialogCode.warm(), [])
  const everyStage = new URLSearchParams(params)
  everyStage.delete('stage')
  const counted = useQuery({ ...leadCountsQuery(everyStage), placeholderData: keepPreviousData }).data
  const counts = counted && inStages(counted, params.get('stage'))
  const isBoard = params.get('layout') === 'board'
  return (
    <div className="grid grid-cols-1 gap-3">
      {!isBoard && <StageStrip pipeline={pipeline} counts={counted} />}
      <TableToolbar>
        <SearchField name="q" label="Search" placeholder="Search leads" />
        <DeskFilters />
        <DeskViews />
        <LayoutSwitch isBoard={isBoard} />
        <RareActions isBoard={isBoard} showKeys={() => setDialog({ open: 'keys' })} />
      </TableToolbar>
      <ActiveFilters />
      {isBoard ? (
        <Later code={boardCode} waiting={<DeskLoading early={early} />}>
          {({ LeadBoard }) => <LeadBoard pipeline={pipeline} counts={counts} early={early} open={setDialog} />}
        </Later>
      ) : (
        <LeadRows pipeline={pipeline} counts={counts} early={early} open={setDialog} />
      )}
      {params.get('new') === 'lead' && (
        <LaterDialog code={newCode} onClose={() => change({ new: undefined }, { replace: true })}>
          {({ NewLeadDialog }) => <NewLeadDialog close={() => change({ new: undefined }, { replace: true })} />}
        </LaterDialog>
      )}
      {dialog && (
        <LaterDialog code={dialogCode} onClose={() => setDialog(undefined)}>
          {({ DeskDialog }) => <DeskDialog state={dialog} close={() => setDialog(undefined)} />}
        </LaterDialog>
      )}
    </div>
  )
}

/** All matches, or only some leads. The server names the file; a download link keeps the page open even when the response is an error. */
function exportLeads(params: URLSearchParams, leads?: readonly DeskLead[], format?: 'xlsx') {
  const url = new URL(urlOf(`${LEADS_URL}.csv`, params, [...deskFilterKeys, 'sort']), location.origin)
  if (leads) url.searchParams.set('ids', leads.map(({ id }) => id).join(','))
  if (format) url.searchParams.set('format', format)
  Object.assign(document.createElement('a'), { href: url.href, download: '' }).click()
}

function LayoutSwitch({ isBoard }: { isBoard: boolean }) {
  const { params } = useView()
  const Icon = isBoard ? Table2Icon : SquareKanbanIcon
  return (
    <Link to={withChanges(params, { layout: isBoard ? undefined : 'board' })} preventScrollReset className={buttonLook('quiet')}>
      <Icon aria-hidden="true" className="size-4 max-sm:hidden" />
      {isBoard ? 'Table' : 'Board'}
    </Link>
  )
}

/** The matches in the stages of a filter. */
function inStages(counts: DeskCounts, filter: string | null): DeskCounts {
  if (!filter) return counts
  const stages = counts.stages.filter(({ id }) => filter.split(',').includes(String(id)))
  return { ...counts, stages, total: stages.reduce((sum, { count }) => sum + count, 0) }
}

/** The matches of each stage with their value, also of those that a filter leaves out. A click filters by it, a second one by none. */
function StageStrip({ pipeline, counts }: { pipeline: LeadPipeline; counts: DeskCounts | undefined }) {
  const { params } = useView()
  const chosen = params.get('stage')
  const of = (stageId: number) => counts?.stages.find(({ id }) => id === stageId)
  return (
    <nav aria-label="Stages" className="flex gap-2 overflow-x-auto pb-1">
      {pipeline.stages.map(({ id, name }) => (
        <Link
          key={id}
          to={withChanges(params, { stage: chosen === String(id) ? undefined : String(id) })}
          preventScrollReset
          aria-current={chosen === String(id) ? 'true' : undefined}
          className="flex shrink-0 grow items-center gap-2 rounded-card border border-line bg-surface px-3 py-1.5 sm:grid sm:min-w-28 sm:gap-0.5 hover:border-ink aria-[current=true]:border-ink aria-[current=true]:bg-sunken"
        >
          <span className="text-fine text-muted">{name}</span>
          <span className="flex items-baseline justify-between gap-2 font-mono text-small tabular-nums max-sm:text-fine">
            <span>
              {counts && !counts.isExact && '≈ '}
              {counts ? numberText(of(id)?.count ?? 0) : '…'}
            </span>
            <span className="text-fine text-muted max-sm:hidden">{of(id)?.valueCents ? formatValue(of(id)?.valueCents ?? 0) : ''}</span>
          </span>
        </Link>
      ))}
    </nav>
  )
}

/** Columns, exports and keys: in a menu where there is little room. */
function RareActions({ isBoard, showKeys }: { isBoard: boolean; showKeys: () => void }) {
  const { params } = useView()
  const [isOpen, setOpen] = useState(false)
  const columns = useQuery(leadColumnsQuery).data?.columns
  const actions = [
    ...(isBoard ? [] : [{ label: 'Columns', icon: Columns3Icon, act: () => setOpen(true) }]),
    { label: 'Export', icon: FileDownIcon, act: () => exportLeads(params) },
    { label: 'Export Excel', icon: FileDownIcon, act: () => exportLeads(params, undefined, 'xlsx') },
    { label: 'Keyboard shortcuts', icon: KeyboardIcon, act: showKeys },
  ]
  return (
    <>
      {actions.map(({ label, icon: Icon, act }) => (
        <span key={label} className="max-lg:hidden">
          <Button type="button" look="quiet" aria-label={label} title={label === 'Export' ? GUARD_NOTE : label} onClick={act}>
            <Icon aria-hidden="true" className="size-4" />
            {label !== 'Keyboard shortcuts' && label}
          </Button>
        </span>
      ))}
      <Menu label="More actions for the list" className={buttonLook('quiet', 'regular', 'lg:hidden')} entries={actions}>
        More
      </Menu>
      {isOpen && (
        <LaterDialog code={columnCode} onClose={() => setOpen(false)}>
          {({ LeadColumnDialog }) => <LeadColumnDialog chosen={columns ?? defaultLeadColumns} close={() => setOpen(false)} />}
        </LaterDialog>
      )}
    </>
  )
}

type LeadRowsProps = { pipeline: LeadPipeline; counts: DeskCounts | undefined; early: EarlyKeys; open: (dialog: DeskDialogState) => void }

function LeadRows({ pipeline, counts, early, open }: LeadRowsProps) {
  const { params, change } = useView()
  const list = usePageQuery({ ...leadPageQuery(params), placeholderData: keepPreviousData })
  const columns = useQuery(leadColumnsQuery)
  const rows = list.data?.leads ?? []
  const table = useTable({ name: 'leads', columns: leadTableColumns(columns.data?.columns ?? defaultLeadColumns, pipeline), rows })
  const { selection } = table
  const whole = useWhole(selection, counts)

  /** Acts on one lead, or on the chosen ones. */
  function act(action: LeadAction, lead?: DeskLead) {
    const first = lead ?? selection.rows[0]
    if (!first) return
    const ids = lead ? [lead.id] : selection.rows.map(({ id }) => id)
    const chosen = !lead && whole?.isChosen ? whole.chosen : { choice: { ids }, count: ids.length }
    const whom = { ...chosen, done: lead ? undefined : selection.clear }
    if (action !== 'stage') return open({ open: action, chosen: whom, current: first.ownerId ?? '' })
    open({ open: 'stage', chosen: whom, current: String(first.stageId), lead })
  }
  useRowKeys({ rows, selection, act, open }, { early, isWaiting: list.isPending })

  if (list.isPending) return <RowsSkeleton rows={15} columns={6} />
  if (list.isError) return <Failed as="h2" error={list.error} retry={list.refetch} />
  if (rows.length === 0 && !params.has('cursor'))
    return <NoLeads isFiltered={deskFilterKeys.some((key) => params.get(key))} clear={() => change(nothingFiltered)} />
  return (
    <>
      <DeskTable
        table={table}
        pipeline={pipeline}
        isBusy={list.isPlaceholderData}
        whole={list.isPlaceholderData ? undefined : whole}
        act={act}
        addNote={(lead) => open({ open: 'note', lead })}
        exportChosen={(format) => exportLeads(params, whole?.isChosen ? undefined : selection.rows, format)}
      />
      <Pages previous={list.data.previousCursor} next={list.data.nextCursor} counts={counts} />
    </>
  )
}

type Selection = ReturnType<typeof useTable<DeskLead>>['selection']

/**
 * All that match on all pages, offered where a whole page of them is selected and chosen by its own button alone. Another filter, page or selection
 * chooses single rows again.
 */
function useWhole({ rows, chosen, isAll }: Selection, counts: DeskCounts | undefined) {
  const { params } = useView()
  const [asked, setAsked] = useState<{ view: string; chosen: unknown }>()
  const view = params.toString()
  const filter = filterIn(params)
  if (!filter || !counts || !isAll || counts.total <= rows.length) return undefined
  const { total, isExact } = counts
  return {
    count: isExact ? numberText(total) : `about ${numberText(total)}`,
    isChosen: asked?.view === view && asked.chosen === chosen,
    choose: (isChosen: boolean) => setAsked(isChosen ? { view, chosen } : undefined),
    chosen: { choice: { filter, ...(isExact && { count: total }) }, count: total },
  }
}

function NoLeads({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  const quarantined = useQuery({ ...summaryQuery, enabled: !isFiltered }).data?.quarantined ?? 0
  if (!isFiltered) {
    return (
      <Empty
        title="No leads"
        action={
          <span className="flex flex-wrap justify-center gap-2">
            <Link to="?new=lead" className={buttonLook('primary')}>
              New lead
            </Link>
            <Link to="/leads/import" className={buttonLook('quiet')}>
              Import leads
            </Link>
          </span>
        }
      >
        {quarantined > 0 && <InQuarantine count={quarantined} />}
        <p>Enquiries from the site appear here immediately. You can import the leads of another CRM.</p>
      </Empty>
    )
  }
  return (
    <Empty
      title="No matches"
      action={
        <Button type="button" look="quiet" onClick={clear}>
          Show all
        </Button>
      }
    >
      <p>No leads match this search and these filters.</p>
    </Empty>
  )
}

type RowKeys = {
  rows: readonly DeskLead[]
  selection: Selection
  act: (action: LeadAction, lead?: DeskLead) => void
  open: (dialog: DeskDialogState) => void
}

/** Keys act on the selected leads, or on the one with the focus. */
function useRowKeys({ rows, selection, act, open }: RowKeys, waiting: { early: EarlyKeys; isWaiting: boolean }) {
  const navigate = useNavigate()
  const { change: changeView } = useView()
  const focused = () => rows.find(({ id }) => id === focusedLead())
  const change = (action: LeadAction) => {
    const lead = focused()
    if (selection.rows.length > 0) act(action)
    else if (lead) act(action, lead)
  }
  const onFocused = (work: (lead: DeskLead) => void) => () => {
    const lead = focused()
    if (lead) work(lead)
  }
  const actions = {
    j: () => focusLead(1),
    k: () => focusLead(-1),
    x: onFocused(({ id }) => selection.toggle(id)),
    e: () => change('stage'),
    a: () => change('owner'),
    n: onFocused((lead) => open({ open: 'note', lead })),
    r: onFocused(({ reference }) => void navigate(`/leads/${reference}?reply`)),
    c: () => changeView({ new: 'lead' }),
    '/': focusSearch,
    '?': () => open({ open: 'keys' }),
  }
  useDeskKeys(actions, waiting)
}

function Pages({ previous, next, counts }: { previous: string | null; next: string | null; counts: DeskCounts | undefined }) {
  const { params } = useView()
  const look = buttonLook('quiet', 'small')
  return (
    <nav aria-label="Pages" className="flex items-center justify-end gap-2 text-small">
      <span className={cx('mr-auto text-muted', !counts && 'invisible')}>
        {counts && !counts.isExact && 'About '}
        {countOf(counts?.total ?? 0, 'lead', 'leads')}
      </span>
      {previous && (
        <Link to={withChanges(params, { cursor: previous })} rel="prev" preventScrollReset className={look}>
          Previous
        </Link>
      )}
      {next && (
        <Link to={withChanges(params, { cursor: next })} rel="next" preventScrollReset className={look}>
          Next
        </Link>
      )}
    </nav>
  )
}
