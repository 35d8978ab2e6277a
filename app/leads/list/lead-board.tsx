import { useDraggable, useDroppable } from '@dnd-kit/core'
import { formatValue } from '#app/leads/lead/format.ts'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDownIcon, GripVerticalIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { apiQuery } from '#app/platform/browser/api.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import { toggled, useStored } from '#app/ui/admin/use-table.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { urlOf } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Failed } from '#app/ui/failed.tsx'
import { formatDay } from '#app/ui/moment.ts'
import {
  BOARD_SIZE,
  type DeskBoard,
  type DeskCounts,
  deskFilterKeys,
  type DeskLead,
  deskPage,
  type LeadPipeline,
  LEADS_URL,
} from '#app/leads/lead/desk.ts'
import type { LeadStage } from '#app/leads/lead/stage.ts'
import { BoardDrag } from './board-drag.tsx'
import type { DeskDialogState } from './desk-dialogs.tsx'
import { StageMenu } from './stage-menu.tsx'
import { isPast } from '#app/leads/lead/lead-format.ts'
import { leadBoardQuery, useBulk } from './use-desk.tsx'

type LeadBoardProps = {
  pipeline: LeadPipeline
  board: DeskBoard
  counts: DeskCounts | undefined
  open: (dialog: DeskDialogState) => void
  isBusy: boolean
  /** Told while it is shown, so that keys wait for its cards. */
  tellShown: (isShown: boolean) => void
}

/** The leads by stage. A card is dragged to another stage, lifted with Space, or moved with the arrow keys on its handle. */
export function LeadBoard({ pipeline, board, counts, open, isBusy, tellShown }: LeadBoardProps) {
  const { params } = useView()
  const { move, moved } = useMove({ params, pipeline, open })
  useEffect(() => {
    tellShown(true)
    return () => tellShown(false)
  }, [tellShown])
  return (
    <BoardDrag stages={pipeline.stages} move={move}>
      <div className={cx('flex gap-3 overflow-x-auto pb-2 transition-opacity', isBusy && 'opacity-60')}>
        {pipeline.stages.map((stage, at) => (
          <StageColumn
            key={stage.id}
            stage={stage}
            content={board.stages.find(({ id }) => id === stage.id) ?? { id: stage.id, leads: [], hasMore: false }}
            total={counts?.stages.find(({ id }) => id === stage.id)}
            isExact={counts?.isExact ?? true}
            renderCard={(lead) => (
              <LeadCard
                key={lead.id}
                lead={lead}
                pipeline={pipeline}
                owner={pipeline.owners.find(({ id }) => id === lead.ownerId)?.name}
                hasMoved={moved?.id === lead.id && moved.stageId === lead.stageId}
                step={(by) => {
                  const target = pipeline.stages[at + by]
                  if (target) move(lead, target.id)
                }}
                open={open}
              />
            )}
          />
        ))}
      </div>
    </BoardDrag>
  )
}

type Moving = { params: URLSearchParams; pipeline: LeadPipeline; open: (dialog: DeskDialogState) => void }

/** Moves a card at once; the server confirms, or the board returns to what it was. Won and lost ask first. */
function useMove({ params, pipeline, open }: Moving) {
  const client = useQueryClient()
  const bulk = useBulk()
  // The card is shown in its old stage for a moment more: the focus follows once it is in the new one.
  const [moved, setMoved] = useState<{ id: string; stageId: number }>()
  const { queryKey } = leadBoardQuery(params)
  const move = async (lead: DeskLead, stageId: number) => {
    const stage = pipeline.stages.find(({ id }) => id === stageId)
    if (lead.stageId === stageId || !stage) return
    if (stage.outcome !== 'open') return open({ open: 'stage', lead, to: stageId })
    // A list that is on its way would move the card back for a moment.
    await client.cancelQueries({ queryKey })
    const before = client.getQueryData<DeskBoard>(queryKey)
    client.setQueryData<DeskBoard>(queryKey, (board) => board && withMove(board, lead, stageId))
    const mine = { id: lead.id, stageId }
    setMoved(mine)
    bulk.mutate(
      { choice: { ids: [lead.id] }, change: { change: 'stage', stageId, from: lead.stageId } },
      {
        onError: () => client.setQueryData(queryKey, before),
        // The focus follows until the server's board is shown.
        onSettled: () => setMoved((latest) => (latest === mine ? undefined : latest)),
      },
    )
  }
  return { move: (lead: DeskLead, stageId: number) => void move(lead, stageId), moved }
}

function withMove({ stages }: DeskBoard, lead: DeskLead, stageId: number): DeskBoard {
  return {
    stages: stages.map((stage) => {
      const others = stage.leads.filter(({ id }) => id !== lead.id)
      return { ...stage, leads: stage.id === stageId ? [{ ...lead, stageId }, ...others] : others }
    }),
  }
}

type StageColumnProps = {
  stage: LeadStage
  content: DeskBoard['stages'][number]
  total: { count: number; valueCents: number } | undefined
  isExact: boolean
  renderCard: (lead: DeskLead) => React.ReactNode
}

function StageColumn({ stage: { name, outcome }, content: { id, leads, hasMore }, total, isExact, renderCard }: StageColumnProps) {
  const { setNodeRef, isOver } = useDroppable({ id })
  const [folded, setFolded] = useStored('leads.folded-stages')
  const isFolded = outcome !== 'open' && folded.includes(String(id))
  const fold = () => setFolded((now) => toggled(now, String(id)))
  const [isWhole, setWhole] = useState(false)
  const more = useMore(id, isWhole)
  const shown = isWhole && more.leads.length > 0 ? more.leads : leads
  const canLoad = (isWhole ? more.hasMore : hasMore) && !more.error
  return (
    <section
      ref={setNodeRef}
      aria-label={name}
      className={cx(
        'grid shrink-0 grid-cols-1 content-start gap-2 rounded-card border bg-sunken p-2',
        isFolded ? 'w-11' : 'w-60 grow xl:w-0 xl:min-w-36',
        isOver ? 'border-ink' : 'border-line',
      )}
    >
      <h2
        className={cx(
          'flex flex-wrap items-center gap-x-2 font-sans text-small font-semibold tracking-normal',
          isFolded ? '[writing-mode:vertical-rl]' : 'justify-between px-1',
        )}
      >
        {outcome === 'open' ? (
          name
        ) : (
          <button
            type="button"
            aria-expanded={!isFolded}
            onClick={fold}
            className="inline-flex items-center gap-1 rounded-control hover:bg-line pointer-coarse:min-h-11 pointer-coarse:min-w-7"
          >
            <ChevronDownIcon aria-hidden="true" className={cx('size-4 transition-transform', isFolded && '-rotate-90')} />
            {name}
          </button>
        )}
        <span className="font-mono text-fine font-normal text-muted tabular-nums">
          {total && `${isExact ? '' : '≈ '}${numberText(total.count)}`}
          {total && total.valueCents > 0 && ` · ${formatValue(total.valueCents)}`}
        </span>
      </h2>
      {isFolded || (
        <>
          {shown.length === 0 && <p className="px-1 pb-2 text-fine text-muted">No leads in this stage.</p>}
          <ul className="grid grid-cols-1 gap-2">{shown.map(renderCard)}</ul>
          {more.error && <Failed error={more.error} retry={more.load} />}
          {canLoad && (
            <Button type="button" look="quiet" size="small" busy={more.isLoading} onClick={() => (isWhole ? more.load() : setWhole(true))}>
              Show more
            </Button>
          )}
        </>
      )}
    </section>
  )
}

/** The leads of one stage beyond the first ones, page by page. */
function useMore(stageId: number, isOn: boolean) {
  const { params } = useView()
  const asked = new URLSearchParams(params)
  for (const [key, value] of Object.entries({ stage: stageId, sort: '-stageSince', limit: BOARD_SIZE * 2 })) asked.set(key, String(value))
  const url = urlOf(LEADS_URL, asked, [...deskFilterKeys, 'sort', 'limit'])
  const pages = useInfiniteQuery({
    queryKey: [url, 'pages'],
    enabled: isOn,
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => apiQuery(pageParam ? `${url}&cursor=${pageParam}` : url, deskPage).queryFn({ signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  return {
    leads: pages.data?.pages.flatMap(({ leads }) => leads) ?? [],
    hasMore: pages.hasNextPage || pages.isPending,
    error: pages.error,
    isLoading: isOn && pages.isFetching,
    load: () => void (pages.isError && !pages.data ? pages.refetch() : pages.fetchNextPage()),
  }
}

type LeadCardProps = {
  lead: DeskLead
  pipeline: LeadPipeline
  owner: string | undefined
  hasMoved: boolean
  step: (by: 1 | -1) => void
  open: (dialog: DeskDialogState) => void
}

function LeadCard({ lead, pipeline, owner, hasMoved, step, open }: LeadCardProps) {
  const { id, reference, name, company, problem, valueCents, nextStep, nextStepAt, ownerId, withdrawnAt } = lead
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, isDragging } = useDraggable({ id, data: { lead } })
  const handle = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The browser drops the focus of an element that moves in the page.
    if (hasMoved) handle.current?.focus()
  }, [hasMoved])
  const chosen = { choice: { ids: [id] }, count: 1 }
  return (
    <li
      ref={setNodeRef}
      data-row={id}
      {...listeners}
      className={cx(
        'grid touch-manipulation grid-cols-1 gap-0.5 rounded-card border border-line bg-surface px-2.5 py-1.5 text-small hover:border-edge',
        isDragging && 'border-dashed border-edge',
      )}
    >
      <span className="flex items-center gap-1">
        <button
          {...attributes}
          ref={(element) => {
            handle.current = element
            setActivatorNodeRef(element)
          }}
          type="button"
          aria-label={`Move ${name} with the left and right arrow keys`}
          title="Drag, or use the arrow keys"
          onKeyDown={(event) => {
            if (isDragging || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
            event.preventDefault()
            step(event.key === 'ArrowLeft' ? -1 : 1)
          }}
          className="-ml-1 grid h-6 w-5 shrink-0 cursor-grab place-items-center rounded-control text-muted hover:bg-sunken pointer-coarse:h-11 pointer-coarse:w-9"
        >
          <GripVerticalIcon aria-hidden="true" className="size-4" />
        </button>
        <Link to={`/leads/${reference}`} data-open className="min-w-0 grow truncate font-medium hover:underline">
          {name}
        </Link>
      </span>
      <span className="truncate text-muted">{company ?? problem}</span>
      {withdrawnAt && (
        <span>
          <Badge>Withdrawn</Badge>
        </span>
      )}
      <span className="relative flex items-center gap-x-2 text-fine text-muted">
        <StageMenu lead={lead} pipeline={pipeline} isSmall />
        <span className="mr-auto min-w-0 truncate">{owner ?? <span className="sr-only">No owner</span>}</span>
        {valueCents !== null && <span className="font-mono tabular-nums">{formatValue(valueCents)}</span>}
        <Menu
          label={`More actions for ${name}`}
          entries={[
            { label: 'Assign…', act: () => open({ open: 'owner', chosen, current: ownerId ?? '' }) },
            { label: 'Add note…', act: () => open({ open: 'note', lead }) },
            { label: 'Delete…', isDanger: true, startsGroup: true, act: () => open({ open: 'delete', chosen }) },
          ]}
        />
      </span>
      {(nextStep ?? nextStepAt) && (
        <span className={cx('truncate text-fine', nextStepAt !== null && isPast(nextStepAt) ? 'text-alarm' : 'text-muted')}>
          {[nextStepAt && formatDay(nextStepAt), nextStep].filter(Boolean).join(' · ')}
        </span>
      )}
    </li>
  )
}
