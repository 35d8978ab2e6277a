import {
  type Active,
  type CollisionDetection,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  rectIntersection,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { useId, useState } from 'react'
import { dragInstructions, dragWords } from '#app/ui/admin/drag-words.ts'
import type { DeskLead, LeadPipeline } from '#app/leads/lead/desk.ts'

type BoardDragProps = { stages: LeadPipeline['stages']; move: (lead: DeskLead, stageId: number) => void; children: React.ReactNode }

/** Moves cards between the stages of the board: with a mouse, a finger that rests on a card, or the keyboard. */
export function BoardDrag({ stages, move, children }: BoardDragProps) {
  const [dragged, setDragged] = useState<DeskLead>()
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    // A finger that moves at once scrolls.
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: toNextStage }),
  )
  const stageOf = (id: string) => stages.find((stage) => String(stage.id) === id)
  const end = () => setDragged(undefined)
  const drop = ({ active, over }: DragEndEvent) => {
    const [lead, stage] = [leadOf(active), stageOf(String(over?.id))]
    end()
    if (lead && stage) move(lead, stage.id)
  }
  const announcements = dragWords(
    (active) => leadOf(active)?.name ?? 'The lead',
    ({ id }) => stageOf(String(id))?.name ?? '',
  )
  return (
    <DndContext
      id={useId()}
      sensors={sensors}
      collisionDetection={stageUnder}
      onDragStart={({ active }: DragStartEvent) => setDragged(leadOf(active))}
      onDragEnd={drop}
      onDragCancel={end}
      accessibility={{ announcements, screenReaderInstructions: dragInstructions }}
    >
      {children}
      {/* Outside of the board, which cuts off what reaches beyond it. */}
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <p className="truncate rounded-card border border-edge bg-surface px-2.5 py-2 text-small font-medium">{dragged.name}</p>
        )}
      </DragOverlay>
    </DndContext>
  )
}

const leadOf = ({ data }: Active): DeskLead | undefined => data.current?.['lead']

/** The stage under the pointer; by keyboard, the one that the card covers. */
const stageUnder: CollisionDetection = (args) => (args.pointerCoordinates ? pointerWithin(args) : rectIntersection(args))

const toNextStage: KeyboardCoordinateGetter = (event, { context: { droppableRects, over } }) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.code]
  if (!by) return undefined
  event.preventDefault()
  const columns = [...droppableRects].toSorted(([, one], [, other]) => one.left - other.left)
  const next = columns[columns.findIndex(([id]) => id === over?.id) + by]?.[1]
  return next && { x: next.left, y: next.top }
}
