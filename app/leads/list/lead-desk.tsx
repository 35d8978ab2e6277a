import { Columns3Icon, KeyboardIcon, SquareKanbanIcon, Table2Icon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { emptyPipeline, LEADS_URL } from '#app/leads/lead/desk.ts'
import { ListPage } from '#app/ui/admin/list-page.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Later, laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import type { DeskDialogState } from './desk-dialogs.tsx'
import { leadLook } from './lead-look.tsx'
import { FirstLeads, NoLeads } from './no-leads.tsx'
import { BoardSkeleton, StageStrip } from './stage-strip.tsx'
import { useDesk, useLiveDesk } from './use-desk.tsx'
import { useDeskActions } from './use-desk-actions.tsx'
import { useLeadViews } from './use-lead-views.tsx'

const dialogCode = laterCode('The dialog', () => import('./desk-dialogs.tsx'))
const boardCode = laterCode('The board', () => import('./lead-board.tsx'))
const newCode = laterCode('The form', () => import('./new-lead-dialog.tsx'))
const columnCode = laterCode('The columns', () => import('./column-dialog.tsx'))

/** All leads, as a table or as a board: searched, filtered, sorted and paged by the server. */
export function LeadDesk() {
  const { params } = useView()
  const isBoard = params.get('layout') === 'board'
  const desk = useDesk({ isBoard })
  const { pipeline, columns, counts } = desk
  const [dialog, open] = useState<DeskDialogState>()
  const [isBoardThere, setBoardThere] = useState(false)
  const actions = useDeskActions({ counts, open })
  const views = useLeadViews()
  useLiveDesk()
  // One key opens the dialog and the next one belongs to its field, so the dialog is loaded in advance.
  useEffect(() => dialogCode.warm(), [])
  return (
    <ListPage
      {...leadLook(columns, pipeline ?? emptyPipeline)}
      {...actions}
      list={desk.list}
      rows={desk.rows}
      isWaiting={isBoard && !isBoardThere}
      place={{ ...desk.place, count: counts?.total, isExact: counts?.isExact }}
      opens={({ reference }) => ({ to: `/leads/${reference}` })}
      empty={{ title: 'No leads', text: <NoLeads /> }}
      emptyAction={<FirstLeads />}
      files={LEADS_URL}
      views={views}
      columnChoice={
        <>
          {!isBoard && <ColumnButton chosen={columns} />}
          <KeysButton show={() => open({ open: 'keys' })} />
        </>
      }
      tools={<LayoutSwitch isBoard={isBoard} />}
      above={!isBoard && <StageStrip pipeline={pipeline} counts={desk.counted} />}
      instead={isBoard && !desk.list.isError && <Board desk={desk} open={open} tellShown={setBoardThere} />}
    >
      <NewLead />
      {dialog && (
        <LaterDialog code={dialogCode} onClose={() => open(undefined)}>
          {({ DeskDialog }) => <DeskDialog state={dialog} close={() => open(undefined)} />}
        </LaterDialog>
      )}
    </ListPage>
  )
}

type BoardProps = {
  desk: ReturnType<typeof useDesk>
  open: (dialog: DeskDialogState) => void
  tellShown: (isShown: boolean) => void
}

function Board({ desk: { pipeline, board, counts, list }, open, tellShown }: BoardProps) {
  if (!pipeline || !board) return <BoardSkeleton />
  return (
    <Later code={boardCode} waiting={<BoardSkeleton />}>
      {({ LeadBoard }) => <LeadBoard {...{ pipeline, board, counts, open, tellShown }} isBusy={list.isPlaceholderData} />}
    </Later>
  )
}

function NewLead() {
  const { params, change } = useView()
  const close = () => change({ new: undefined }, { replace: true })
  if (params.get('new') !== 'lead') return null
  return (
    <LaterDialog code={newCode} onClose={close}>
      {({ NewLeadDialog }) => <NewLeadDialog close={close} />}
    </LaterDialog>
  )
}

function ColumnButton({ chosen }: { chosen: readonly string[] }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button type="button" look="quiet" onClick={() => setOpen(true)}>
        <Columns3Icon aria-hidden="true" className="size-4" />
        Columns
      </Button>
      {isOpen && (
        <LaterDialog code={columnCode} onClose={close}>
          {({ LeadColumnDialog }) => <LeadColumnDialog chosen={chosen} close={close} />}
        </LaterDialog>
      )}
    </>
  )
}

function KeysButton({ show }: { show: () => void }) {
  return (
    <Button type="button" look="quiet" aria-label="Keyboard shortcuts" title="Keyboard shortcuts" className="max-sm:hidden" onClick={show}>
      <KeyboardIcon aria-hidden="true" className="size-4" />
    </Button>
  )
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
