import { useEffect, useRef, useState } from 'react'
import type { DeskLead, LeadPipeline } from '#app/leads/lead/desk.ts'
import { formatValue } from '#app/leads/lead/format.ts'
import { conflictIn, useLeadChange } from '#app/leads/lead/use-lead-change.tsx'
import { type EditableFact, type FactKind, factOf, isEditable, type LeadFactName } from '#app/leads/lead/lead-facts.ts'
import { typedAmount } from '#app/leads/lead/written-amount.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import { CellInput } from '#app/ui/cell-input.tsx'
import { cx } from '#app/ui/class-names.ts'
import { toast } from '#app/ui/toast.ts'

type CellFact = {
  /** As it is shown; empty for none. */
  show: (value: unknown) => string
  /** As it is typed. */
  write: (value: unknown) => string
  /** The typed text as a value; undefined when it is none. */
  read: (text: string) => unknown
  wrong?: string
  inputMode?: 'decimal'
}

const plain = (value: unknown) => (typeof value === 'string' ? value : '')
const words = (value: unknown) => (Array.isArray(value) ? value.join(', ') : '')
const textCell: CellFact = { show: plain, write: plain, read: (text) => text || null }

/** The kinds of facts that are typed in a cell of the list. */
const cells: Partial<Record<FactKind, CellFact>> = {
  text: textCell,
  tel: textCell,
  money: {
    show: (value) => (typeof value === 'number' ? formatValue(value) : ''),
    write: (value) => (typeof value === 'number' ? String(value / 100) : ''),
    read(text) {
      const amount = text === '' ? null : typedAmount(text)
      return amount && Math.round(amount * 100)
    },
    wrong: 'Enter an amount, such as 2500 or 2,500.50',
    inputMode: 'decimal',
  },
  tags: {
    show: words,
    write: words,
    read: (text) =>
      text
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
  },
}

/** A reason belongs to the move to a lost stage. */
export const isCellFact = (name: LeadFactName): name is EditableFact =>
  isEditable(name) && !factOf(name).isOfLost && cells[factOf(name).kind] !== undefined

function cellOf(name: EditableFact): CellFact & { label: string } {
  const { label, kind } = factOf(name)
  return { label: label.toLowerCase(), ...(cells[kind] ?? textCell) }
}

type CellProps = { lead: DeskLead; fact: EditableFact }

/** A cell that is edited in its place: Enter or a double click opens it, Enter or leaving it saves, Escape restores. */
export function LeadCell({ lead, fact }: CellProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const returns = useRef(false)
  useEffect(() => {
    if (isOpen || !returns.current) return
    returns.current = false
    button.current?.focus()
  }, [isOpen])
  const close = (byKey: boolean) => {
    returns.current = byKey
    setOpen(false)
  }
  const { label, show } = cellOf(fact)
  const shown = show(lead[fact])
  if (isOpen) return <OpenCell lead={lead} fact={fact} close={close} />
  return (
    <button
      ref={button}
      type="button"
      data-cell
      tabIndex={-1}
      aria-label={`Edit ${label} of ${lead.name}: ${shown || 'empty'}`}
      title={shown || undefined}
      // A click of the mouse only chooses the cell; one of a key or of a finger opens it.
      onClick={({ detail, nativeEvent }) => (detail === 0 || isTouch(nativeEvent)) && setOpen(true)}
      onDoubleClick={() => setOpen(true)}
      className={cx(
        'relative z-1 -mx-1.5 block min-h-7 w-[calc(100%+0.75rem)] cursor-cell truncate rounded-control px-1.5 hover:bg-line',
        factOf(fact).kind === 'money' ? 'text-right' : 'text-left',
      )}
    >
      {shown || <span className="text-muted">-</span>}
    </button>
  )
}

const isTouch = (event: MouseEvent) => event instanceof PointerEvent && event.pointerType === 'touch'

const titled = (label: string) => `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`

function OpenCell({ lead, fact, close }: CellProps & { close: (byKey: boolean) => void }) {
  const { label, write, inputMode } = cellOf(fact)
  const { save, leave, end, isWrong, forgive, isPending } = useCell({ lead, fact, close })
  return (
    <span className="relative z-2 block">
      <CellInput
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- The person has just opened the cell to edit it.
        autoFocus
        label={`${titled(label)} of ${lead.name}`}
        defaultValue={write(lead[fact])}
        inputMode={inputMode}
        aria-invalid={isWrong || undefined}
        aria-busy={isPending || undefined}
        onFocus={({ target }) => target.select()}
        onChange={forgive}
        onKeyDown={(event) => {
          if (event.key === 'Escape') end(true)
          if (event.key === 'Enter') save(event.currentTarget.value, true)
        }}
        onBlur={({ target }) => document.hasFocus() && leave(target.value)}
        className="-mx-1.5 w-[calc(100%+0.75rem)]! px-1.5!"
      />
    </span>
  )
}

/** Saves what is typed in a cell, and tells what keeps it from being saved. */
function useCell({ lead, fact, close }: CellProps & { close: (byKey: boolean) => void }) {
  const { label, show, read, wrong } = cellOf(fact)
  // The value that the person saw when they began; after a conflict, that of someone else.
  const [from, setFrom] = useState<unknown>(lead[fact])
  const [isWrong, setWrong] = useState(false)
  const isOver = useRef(false)
  const change = useLeadChange(lead.reference, () => `${titled(label)} of ${lead.name} saved`)
  const end = (byKey: boolean) => {
    isOver.current = true
    close(byKey)
  }
  function tellConflict(error: Error) {
    const theirs = conflictIn(error)
    if (!theirs || !(fact in theirs)) return
    setFrom(theirs[fact])
    const value = show(theirs[fact]) || 'empty'
    const description = `Someone else has changed it to “${value}” meanwhile. Press Enter to replace it, or Escape to keep it.`
    toast({ title: `Not saved: ${label} of ${lead.name}`, description, look: 'danger' })
  }
  function save(text: string, byKey: boolean) {
    const to = read(text.trim())
    if (to === undefined) {
      setWrong(true)
      toast({ title: 'Not saved', description: wrong, look: 'danger' })
    } else if (JSON.stringify(to) === JSON.stringify(from)) end(byKey)
    else if (!change.isPending) change.mutate({ [fact]: { from, to } }, { onSuccess: () => end(byKey), onError: tellConflict })
  }
  /** A value that cannot be saved, or that someone else has changed, is not saved by leaving. */
  function leave(text: string) {
    if (isOver.current || change.isPending) return
    if (read(text.trim()) === undefined || change.isError) end(false)
    else save(text, false)
  }
  return { save, leave, end, isWrong, forgive: () => setWrong(false), isPending: change.isPending }
}

/** The owner of a lead as a menu: a choice is saved at once. */
export function OwnerMenu({ lead, pipeline: { owners } }: { lead: DeskLead; pipeline: LeadPipeline }) {
  const nameOf = (id: unknown) => owners.find((owner) => owner.id === id)?.name
  const change = useLeadChange(lead.reference, ({ ownerId }) =>
    ownerId?.to ? `${lead.name} assigned to ${nameOf(ownerId.to) ?? 'the owner'}` : `${lead.name} unassigned`,
  )
  const shown = change.isPending ? change.variables['ownerId']?.to : lead.ownerId
  const choose = (to: string | null) => {
    if (to === lead.ownerId) return
    change.mutate(
      { ownerId: { from: lead.ownerId, to } },
      {
        onError(error) {
          const theirs = conflictIn(error)
          if (!theirs) return
          const description = `Someone else has assigned ${lead.name} to ${nameOf(theirs['ownerId']) ?? 'nobody'} meanwhile. Choose again.`
          toast({ title: 'Not assigned', description, look: 'danger' })
        },
      },
    )
  }
  return (
    <Menu
      label={`Owner of ${lead.name}: ${nameOf(shown) ?? 'nobody'}`}
      className="relative z-1 -mx-1.5 block min-h-7 w-[calc(100%+0.75rem)] truncate rounded-control px-1.5 text-left hover:bg-line"
      entries={[
        { label: 'No owner', isChosen: !shown, act: () => choose(null) },
        ...owners.map(({ id, name }) => ({ label: name, isChosen: id === shown, act: () => choose(id) })),
      ]}
    >
      {nameOf(shown) ?? <NoOwner />}
    </Menu>
  )
}

/** A mark as quiet as those of other empty cells, because most leads of a small team have none. */
function NoOwner() {
  return (
    // The hidden text is placed absolutely: without a frame it would widen the page beside a board that scrolls.
    <span className="relative text-muted">
      <span aria-hidden="true">-</span>
      <span className="sr-only">No owner</span>
    </span>
  )
}
