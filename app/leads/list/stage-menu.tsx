import { ChevronDownIcon } from 'lucide-react'
import { useState } from 'react'
import type { LeadPipeline } from '#app/leads/lead/desk.ts'
import { StageBadge, StageMark } from '#app/leads/lead/stage-badge.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { type StagedLead, useStageMove } from '#app/leads/lead/use-lead-change.tsx'

const dialogCode = laterCode('The dialog', () => import('./stage-dialog.tsx'))

type StageMenuProps = {
  lead: StagedLead
  pipeline: LeadPipeline
  /** Shows the mark alone, where the name of the stage is written beside it. */
  isSmall?: boolean
}

/** The stage of a lead as a menu: a choice is saved at once. Won and lost ask first for the value and the reason. */
export function StageMenu({ lead, pipeline: { stages }, isSmall = false }: StageMenuProps) {
  const { move, shownId } = useStageMove(lead, stages)
  const [asked, setAsked] = useState<number>()
  const shown = stages.find(({ id }) => id === shownId)
  const choose = (id: number) => {
    const isOpen = stages.some((stage) => stage.id === id && stage.outcome === 'open')
    if (id !== lead.stageId) (isOpen ? move : setAsked)(id)
  }
  return (
    <>
      <Menu
        label={`Stage of ${lead.name}: ${shown?.name ?? 'removed'}`}
        className="relative z-1 inline-flex max-w-full items-center rounded-full align-middle hover:opacity-80 pointer-coarse:min-h-11"
        entries={stages.map((stage) => ({
          label: stage.name,
          isChosen: stage.id === shownId,
          mark: <StageMark stage={stage} />,
          act: () => choose(stage.id),
        }))}
      >
        {isSmall && shown ? <StageMark stage={shown} /> : <StageBadge stage={shown} />}
        <ChevronDownIcon aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
      </Menu>
      {asked !== undefined && (
        <LaterDialog code={dialogCode} onClose={() => setAsked(undefined)}>
          {({ StageDialog }) => <StageDialog lead={lead} to={asked} close={() => setAsked(undefined)} />}
        </LaterDialog>
      )}
    </>
  )
}
