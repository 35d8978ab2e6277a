import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { GripVerticalIcon } from 'lucide-react'
import { createContext, use, useEffect, useId, useRef } from 'react'
import { cx } from '#app/ui/class-names.ts'
import { dragInstructions, dragWords } from './drag-words.ts'

type DragListProps = {
  /** The items in their order. */
  ids: readonly string[]
  nameOf: (id: string) => string
  /** Both are places in `ids`, from 0. */
  move: (from: number, to: number) => void
  children: React.ReactNode
}

const upAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 })

/** A list whose order people set, by the handles of its items: with a mouse, a finger or the keyboard. */
export function DragList({ ids, nameOf, move, children }: DragListProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const nameOfItem = ({ id }: { id: string | number }) => nameOf(String(id))
  const drop = ({ active, over }: DragEndEvent) => {
    const [from, to] = [ids.indexOf(String(active.id)), ids.indexOf(String(over?.id))]
    if (from !== to && to >= 0) move(from, to)
  }
  return (
    <DndContext
      id={useId()}
      sensors={sensors}
      modifiers={[upAndDown]}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{ announcements: dragWords(nameOfItem, nameOfItem), screenReaderInstructions: dragInstructions }}
    >
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

type Grip = Pick<ReturnType<typeof useSortable>, 'attributes' | 'listeners' | 'setActivatorNodeRef' | 'isDragging'>

const GripOf = createContext<Grip | undefined>(undefined)

type DragItemProps = {
  as: 'li' | 'tr' | 'div'
  id: string
  /** It stays in its place. */ isFixed?: boolean
} & React.HTMLAttributes<HTMLElement>

/** An item of a `DragList`; a `DragHandle` is somewhere in it. */
export function DragItem({ as: Element, id, isFixed = false, className, children, ...rest }: DragItemProps) {
  const { setNodeRef, transform, transition, ...grip } = useSortable({ id, disabled: isFixed })
  return (
    <GripOf value={grip}>
      <Element
        {...rest}
        ref={setNodeRef}
        style={{ transform: CSS.Translate.toString(transform), transition }}
        className={cx(className, grip.isDragging && 'relative z-10 bg-surface')}
      >
        {children}
      </Element>
    </GripOf>
  )
}

type DragHandleProps = { name: string; /** The arrow keys move an item that was not lifted, by one. */ step: (by: 1 | -1) => void }

/** Moves its item: it is dragged, lifted with Space, or moved by one with an arrow key. */
export function DragHandle({ name, step }: DragHandleProps) {
  const grip = use(GripOf)
  const handle = useRef<HTMLButtonElement>(null)
  const moves = useRef(false)
  useEffect(() => {
    // The browser drops the focus of an element that moves in the page.
    if (moves.current) handle.current?.focus()
    moves.current = false
  })
  const isDragging = grip?.isDragging ?? false
  useEffect(() => {
    if (!isDragging) return undefined
    // Escape ends the drag and leaves the dialog around the list open. It listens while capturing, because the end of the drag removes it.
    const stayOpen = (event: KeyboardEvent) => event.key === 'Escape' && event.preventDefault()
    document.addEventListener('keydown', stayOpen, true)
    return () => document.removeEventListener('keydown', stayOpen, true)
  }, [isDragging])
  if (!grip) return null
  const onKeyDown = (event: React.KeyboardEvent) => {
    const by = grip.isDragging ? undefined : steps[event.key]
    if (!by) return grip.listeners?.['onKeyDown']?.(event)
    event.preventDefault()
    moves.current = true
    step(by)
  }
  return (
    <button
      {...grip.attributes}
      {...grip.listeners}
      ref={(element) => {
        handle.current = element
        grip.setActivatorNodeRef(element)
      }}
      type="button"
      aria-label={`Move ${name} with the arrow keys`}
      title="Drag, or use the arrow keys"
      data-handle={name}
      onKeyDown={onKeyDown}
      className="grid h-7 w-5 shrink-0 cursor-grab touch-none place-items-center rounded-control text-muted hover:bg-line hover:text-ink pointer-coarse:h-11 pointer-coarse:w-9"
    >
      <GripVerticalIcon aria-hidden="true" className="size-4" />
    </button>
  )
}

const steps: Record<string, 1 | -1> = { ArrowUp: -1, ArrowDown: 1 }
