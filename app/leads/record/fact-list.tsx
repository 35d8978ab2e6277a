import { formatValue } from '#app/leads/lead/format.ts'
import { useQuery } from '@tanstack/react-query'
import { PencilIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { replyAddress } from '#app/leads/lead/lead-format.ts'
import { pipelineQuery } from '#app/leads/list/use-desk.tsx'
import { emptyPipeline, type LeadPipeline } from '#app/leads/lead/desk.ts'
import { conflictIn } from '#app/leads/lead/use-lead-change.tsx'
import { typedAmount } from '#app/leads/lead/written-amount.ts'
import {
  type EditableFact,
  type FactKind,
  factOf,
  factText,
  isEditable,
  type LeadFact,
  type LeadFactName,
  leadFactNames,
} from '#app/leads/lead/lead-facts.ts'
import { campaignText, type Source } from '#app/platform/http/source.ts'
import { ApiError } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { EmailText } from '#app/ui/email-text.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { formatMoment, localMoment } from '#app/ui/moment.ts'
import { toast } from '#app/ui/toast.ts'
import type { LeadDetail } from './timeline.ts'
import { useFactChange } from './use-lead.tsx'

/** The facts of a lead: each is edited in place and saved at once. The stage is in the head of the page. */
export function FactList({ lead }: { lead: LeadDetail }) {
  const pipeline = useQuery(pipelineQuery).data ?? emptyPipeline
  return (
    <dl className="grid text-small">
      {leadFactNames
        .filter((name) => isOffered(name, lead, pipeline))
        .map((name) => (
          <Fact key={name} name={name} lead={lead} pipeline={pipeline} />
        ))}
      <Fixed label="Came from">
        <CameFrom source={lead.cameFrom} />
      </Fixed>
      <Fixed label="Received">{formatMoment(lead.createdAt)}</Fixed>
    </dl>
  )
}

/** Facts above the list are not in it, and what cannot be changed is only shown with a value. */
function isOffered(name: LeadFactName, lead: LeadDetail, { stages }: LeadPipeline): boolean {
  const { isAbove, isOfLost, given } = factOf(name)
  if (isAbove || (!given && !lead[name])) return false
  return !isOfLost || Boolean(lead[name]) || stages.find(({ id }) => id === lead.stageId)?.outcome === 'lost'
}

function CameFrom({ source }: { source: Source | null | undefined }) {
  const { path, referrer } = source ?? {}
  const lines = [path && `On ${path}`, referrer && `From ${referrer}`, source && campaignText(source)].filter(Boolean)
  if (lines.length === 0) return <span className="text-muted">Not known</span>
  return lines.map((line) => (
    <span key={line} className="block wrap-anywhere">
      {line}
    </span>
  ))
}

const row = 'grid grid-cols-[6rem_1fr] items-start gap-x-2'
/** Values are as high as the buttons that edit some of them. */
const cell = 'px-2 py-1 pointer-coarse:min-h-11 pointer-coarse:py-2.5'
const head = 'py-1 text-muted pointer-coarse:py-2.5'

function Fixed({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={row}>
      <dt className={head}>{label}</dt>
      <dd className={cx('min-w-0', cell)}>{children}</dd>
    </div>
  )
}

type FactProps = { lead: LeadDetail; pipeline: LeadPipeline }

function Fact({ name, lead, pipeline }: FactProps & { name: LeadFactName }) {
  const { label, kind } = factOf(name)
  if (isEditable(name)) return <EditableFactRow name={name} lead={lead} pipeline={pipeline} />
  return (
    <Fixed label={label}>
      {kind === 'email' ? (
        <a href={replyAddress(lead)} className="link wrap-anywhere">
          <EmailText>{lead.email}</EmailText>
        </a>
      ) : (
        shownText(factOf(name), lead[name], pipeline)
      )}
    </Fixed>
  )
}

function EditableFactRow({ name, lead, pipeline }: FactProps & { name: EditableFact }) {
  const [isOpen, setOpen] = useState(false)
  const { label } = factOf(name)
  const shown = shownText(factOf(name), lead[name], pipeline)
  return (
    <div className={row}>
      <dt className={head}>{label}</dt>
      <dd className="min-w-0">
        {isOpen ? (
          <FactForm name={name} lead={lead} pipeline={pipeline} close={() => setOpen(false)} />
        ) : (
          <button
            type="button"
            onClick={() => setOpen(true)}
            aria-label={shown ? `Edit ${label.toLowerCase()}: ${shown}` : `Add ${label.toLowerCase()}`}
            className={cx('group flex w-full items-center gap-2 rounded-control text-left wrap-anywhere hover:bg-sunken', cell)}
          >
            <span className={shown ? undefined : 'text-muted'}>{shown || 'Add'}</span>
            <PencilIcon
              aria-hidden="true"
              className="ml-auto size-3.5 shrink-0 text-muted opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
            />
          </button>
        )}
      </dd>
    </div>
  )
}

function shownText(fact: LeadFact, value: unknown, { owners }: LeadPipeline): string {
  const { kind } = fact
  if (kind === 'owner') return owners.find(({ id }) => id === value)?.name ?? ''
  if (kind === 'money') return typeof value === 'number' ? formatValue(value) : ''
  if (kind === 'moment') return typeof value === 'string' ? formatMoment(value) : ''
  return factText(fact, value)
}

/** One fact as a form. Where someone else was faster, it shows their value, and the choice between both. */
function FactForm({ name, lead, pipeline, close }: FactProps & { name: EditableFact; close: () => void }) {
  const { label, kind, most = 200 } = factOf(name)
  // The value that the person saw when they began to edit. Until then it is the latest: their own act may just have changed it.
  const [begun, setBegun] = useState<{ from: unknown }>()
  const from = begun ? begun.from : lead[name]
  const change = useFactChange(lead.reference)
  const [error, setError] = useState<string>()
  const isTouched = useRef(false)
  const isOver = useRef(false)
  const end = () => {
    isOver.current = true
    close()
  }
  const theirs = conflictIn(change.error)
  const isConflict = theirs !== undefined && name in theirs
  const refused = change.error instanceof ApiError ? change.error.problem?.errors : undefined

  function save(form: HTMLFormElement, refuse: (reason: string) => void) {
    const given = new FormData(form).get('value')
    const to = valueOf(kind, typeof given === 'string' ? given : '')
    if (to === undefined) return refuse(kind === 'money' ? 'Enter an amount, such as 2500 or 2,500.50' : 'Enter a date and a time')
    setError(undefined)
    if (!isTouched.current && !isConflict) return end()
    if (!change.isPending) change.mutate({ [name]: { from: isConflict ? theirs[name] : from, to } }, { onSuccess: end })
  }
  function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault()
    save(event.currentTarget, setError)
  }
  /** Leaving a field saves it. A value that cannot be saved is named, and the former one stays. */
  function leave({ currentTarget, relatedTarget }: React.FocusEvent<HTMLFormElement>) {
    if (currentTarget.contains(relatedTarget) || isOver.current || isConflict) return
    // Another window, perhaps to copy something.
    if (!isTouched.current && !document.hasFocus()) return
    save(currentTarget, (reason) => {
      toast({ title: `${label} not changed`, description: reason, look: 'danger' })
      end()
    })
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The events come from the fields in it.
    <form
      method="post"
      noValidate
      onSubmit={submit}
      onInput={() => {
        isTouched.current = true
        setBegun((known) => known ?? { from })
      }}
      onBlur={leave}
      className="grid grid-cols-1 gap-2 rounded-control bg-sunken p-2"
    >
      <Field label={label} name="value" id={`fact-${name}`} tool error={error ?? Object.values(refused ?? {})[0]}>
        <Control key={JSON.stringify(from)} kind={kind} most={most} value={from} pipeline={pipeline} close={end} />
      </Field>
      {isConflict && (
        <p role="alert" className="text-small text-alarm">
          This has meanwhile changed to “{shownText(factOf(name), theirs[name], pipeline) || 'empty'}”. Save again to replace it, or cancel
          to keep it.
        </p>
      )}
      <span className="flex gap-2">
        <Button size="small" busy={change.isPending}>
          {change.isPending ? 'Saving...' : 'Save'}
        </Button>
        {/* The field keeps the focus during the press, so that it does not count as left. */}
        <Button type="button" look="quiet" size="small" onMouseDown={(event) => event.preventDefault()} onClick={end}>
          Cancel
        </Button>
      </span>
    </form>
  )
}

type ControlProps = { kind: FactKind; most: number; value: unknown; pipeline: LeadPipeline; close: () => void }

function Control({ kind, most, value, pipeline, close }: ControlProps) {
  // oxlint-disable-next-line jsx-a11y/no-autofocus -- The person has just pressed the fact to edit it.
  const focus = { autoFocus: true, onKeyDown: (event: React.KeyboardEvent) => event.key === 'Escape' && close() }
  const choice = useChoice(close)
  if (kind === 'owner') {
    return (
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- As above.
      <Select autoFocus {...choice} defaultValue={typeof value === 'string' ? value : ''}>
        <option value="">No owner</option>
        {pipeline.owners.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    )
  }
  if (kind === 'money')
    return <Input {...focus} inputMode="decimal" defaultValue={typeof value === 'number' ? String(value / 100) : ''} autoComplete="off" />
  if (kind === 'moment')
    return <Input {...focus} type="datetime-local" defaultValue={typeof value === 'string' ? localMoment(value) : ''} />
  const text = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : ''
  return (
    <Input {...focus} type={kind === 'tel' ? 'tel' : 'text'} defaultValue={text} autoComplete="off" most={kind === 'tags' ? 1000 : most} />
  )
}

/**
 * Saves a choice immediately. The arrow keys of a closed list go through its entries, each of which would be a choice: they wait for Enter, or until the
 * field is left.
 */
function useChoice(close: () => void) {
  const isPassing = useRef(false)
  return {
    onPointerDown: () => void (isPassing.current = false),
    onKeyDown(event: React.KeyboardEvent<HTMLSelectElement>) {
      const isList = CSS.supports('selector(:open)') && event.currentTarget.matches(':open')
      isPassing.current = !isList
      if (isList) return
      if (event.key === 'Escape') close()
      if (event.key !== 'Enter') return
      event.preventDefault()
      event.currentTarget.form?.requestSubmit()
    },
    onChange: ({ currentTarget }: React.ChangeEvent<HTMLSelectElement>) => isPassing.current || currentTarget.form?.requestSubmit(),
  }
}

/** The typed value as the server takes it; undefined when it is none. */
function valueOf(kind: FactKind, text: string): unknown {
  const typed = text.trim()
  if (kind === 'tags')
    return typed
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean)
  if (typed === '') return null
  if (kind === 'money') {
    const amount = typedAmount(typed)
    return amount === undefined ? undefined : Math.round(amount * 100)
  }
  if (kind === 'moment') return Number.isNaN(Date.parse(typed)) ? undefined : new Date(typed).toISOString()
  return typed
}
