import { useQuery } from '@tanstack/react-query'
import { PencilIcon } from 'lucide-react'
import { useState } from 'react'
import type { HourSpan } from '#app/platform/time/weekly-hours.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { RowButton } from '#app/ui/admin/data-table.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { type ListedHost, type Override, overrideBody } from './calendar.ts'
import { SpansEditor } from './spans-editor.tsx'
import { CALENDAR_DATA, hostUrl, overridesQuery } from './use-calendar.tsx'
import { useNow } from './use-now.tsx'
import { clockAt, dayText } from './zoned-time.ts'

/** Dates with other hours, or none. They count as soon as they are saved. */
export function OverrideList({ host }: { host: ListedHost }) {
  const [edited, edit] = useState<Override>()
  const [isAdding, setAdding] = useState(false)
  const overrides = useQuery(overridesQuery(host.id))
  const today = clockAt(useNow(), host.zone).date
  return (
    <Card as="section" aria-labelledby="overrides" className="grid gap-3">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id="overrides" className="text-h3">
            Dates with other hours
          </h2>
          <p className="text-small text-muted">Holidays, short days, extra days.</p>
        </div>
        <Button type="button" look="quiet" onClick={() => setAdding(true)}>
          Add a date
        </Button>
      </header>
      {overrides.isPending && <Skeleton lines={3} />}
      {overrides.isError && <Failed error={overrides.error} retry={overrides.refetch} />}
      {overrides.data?.length === 0 && <p className="text-small text-muted">Every date has its weekly hours.</p>}
      {overrides.data && overrides.data.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {overrides.data.map((override) => (
            <Line key={override.date} host={host} override={override} edit={edit} />
          ))}
        </ul>
      )}
      {edited && <OverrideDialog host={host} override={edited} close={() => edit(undefined)} />}
      {isAdding && (
        <OverrideDialog host={host} override={{ date: today, spans: [] }} known={overrides.data ?? []} close={() => setAdding(false)} />
      )}
    </Card>
  )
}

type LineProps = { host: ListedHost; override: Override; edit: (override: Override) => void }

function Line({ host, override, edit }: LineProps) {
  const { date, spans } = override
  const name = dayText(date, { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 py-1 text-small">
      <span className="w-40 font-medium">{name}</span>
      <span className="grow font-mono text-fine tabular-nums text-muted">
        {spans.length === 0 ? <span className="font-sans">No calls</span> : spans.map(({ from, until }) => `${from}–${until}`).join(', ')}
      </span>
      <span className="flex gap-0.5">
        <RowButton label={`Edit ${name}`} onClick={() => edit(override)}>
          <PencilIcon aria-hidden="true" />
        </RowButton>
        <QuestionButton
          action={{
            send: async () => apiRequest('DELETE', `${hostUrl(host.id)}/overrides/${date}`),
            done: 'Weekly hours restored',
            failed: 'Could not restore the hours',
            touches: CALENDAR_DATA,
          }}
          size="small"
          aria-label={`Delete ${name}`}
          label="Delete"
          question={`Return ${name} to its weekly hours?`}
          confirm="Delete"
        >
          Visitors see the weekly hours for this date again.
        </QuestionButton>
      </span>
    </li>
  )
}

type OverrideDialogProps = {
  host: ListedHost
  override: Override
  /** Of a new date: those that have hours of their own. */
  known?: readonly Override[]
  close: () => void
}

function OverrideDialog({ host, override, known, close }: OverrideDialogProps) {
  const now = useNow()
  const [date, setDate] = useState(override.date)
  const [spans, setSpans] = useState<HourSpan[]>(override.spans)
  const form = useForm({
    schema: overrideBody,
    read: () => ({ spans }),
    find: () =>
      known?.some((other) => other.date === date) ? { date: 'This date has hours of its own. Edit them in the list.' } : undefined,
    send: async (body) => apiRequest('PUT', `${hostUrl(host.id)}/overrides/${date}`, body),
    done: 'Hours saved',
    failed: 'Could not save the hours',
    touches: CALENDAR_DATA,
    onDone: close,
  })
  const error = Object.entries(form.errors).find(([name]) => name !== 'date')?.[1]
  return (
    <FormDialog
      form={form}
      title={known ? 'Hours of one date' : `Hours of ${dayText(date)}`}
      submit="Save"
      unavailable={date ? undefined : 'Choose a date first.'}
      onClose={close}
    >
      {known && (
        <Field label="Date" name="date">
          <Input type="date" min={clockAt(now, host.zone).date} value={date} onChange={({ target }) => setDate(target.value)} />
        </Field>
      )}
      <div role="group" aria-label="Hours" className="grid gap-1.5">
        <p className="text-small font-semibold">Hours</p>
        <SpansEditor day="The date" name="spans" spans={spans} error={error} change={setSpans} />
      </div>
    </FormDialog>
  )
}
