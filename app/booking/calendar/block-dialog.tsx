import { useState } from 'react'
import { refusedFields } from '#app/ui/admin/use-edit-form.ts'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import type { ListedHost } from './calendar.ts'
import { zoneText } from './call-text.ts'
import { CALENDAR_DATA, hostUrl } from './use-calendar.tsx'
import { addDays, clockAt, clockText, minutesOf, momentOnClock } from './zoned-time.ts'

type BlockProps = { host: ListedHost; span: { date: string; from: number; until: number } | undefined; zone: string; close: () => void }

/** Blocks a span: no calls are booked in it. */
export function BlockDialog({ host, span, zone, close }: BlockProps) {
  const [errors, setErrors] = useState<Record<string, string>>({})
  const begin = span ?? nextHour(zone)
  // Midnight at the end of a day is the start of the next one.
  const end = begin.until < 24 * 60 ? { date: begin.date, time: begin.until } : { date: addDays(begin.date, 1), time: 0 }
  const block = useAdminAction<{ startsAt: string; endsAt: string; reason?: string }>({
    method: 'POST',
    url: `${hostUrl(host.id)}/blocks`,
    body: (given) => given,
    done: 'Time blocked',
    failed: 'Could not block the time',
    onDone: close,
    touches: CALENDAR_DATA,
  })
  const submit = ({ fromDate = '', fromTime = '', untilDate = '', untilTime = '', reason = '' }: Record<string, string>) => {
    const missing = Object.entries({ fromDate, fromTime, untilDate, untilTime }).filter(([, text]) => !text)
    const startsAt = missing.length > 0 ? 0 : momentOnClock({ date: fromDate, minutes: minutesOf(fromTime) }, zone)
    const endsAt = missing.length > 0 ? 0 : momentOnClock({ date: untilDate, minutes: minutesOf(untilTime) }, zone)
    const found = Object.fromEntries(missing.map(([name]) => [name, 'Choose one']))
    if (missing.length === 0 && endsAt <= startsAt) found['untilTime'] = 'The end is after the start'
    setErrors(found)
    if (Object.keys(found).length > 0) return
    block.mutate({ startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString(), ...(reason && { reason }) })
  }
  const refused = { ...(block.error ? refusedFields(block.error) : {}), ...errors }
  return (
    <FormDialog
      title={host.isYou ? 'Block time' : `Block time of ${host.name}`}
      submit={block.isPending ? 'Blocking...' : 'Block time'}
      busy={block.isPending}
      onClose={close}
      onSubmit={submit}
    >
      <p className="text-small text-muted">Visitors can’t book calls in this time. Booked calls stay. Times are in {zoneText(zone)}.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="From" name="fromDate" error={refused['fromDate']}>
          <Input type="date" defaultValue={begin.date} />
        </Field>
        <Field label="Starts" name="fromTime" error={refused['fromTime'] ?? refused['startsAt']}>
          <Input type="time" step={300} defaultValue={clockText(begin.from)} />
        </Field>
        <Field label="Until" name="untilDate" error={refused['untilDate']}>
          <Input type="date" defaultValue={end.date} />
        </Field>
        <Field label="Ends" name="untilTime" error={refused['untilTime'] ?? refused['endsAt']}>
          <Input type="time" step={300} defaultValue={clockText(end.time)} />
        </Field>
      </div>
      <Field label="Reason" name="reason" optional hint="Only staff can see it." error={refused['reason']}>
        <Input most={200} />
      </Field>
    </FormDialog>
  )
}

function nextHour(zone: string) {
  const { date, minutes } = clockAt(Date.now() + 3_600_000, zone)
  const from = Math.floor(minutes / 60) * 60
  return { date, from, until: from + 60 }
}
