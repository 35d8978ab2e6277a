import { apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { blockBody, type ListedHost } from './calendar.ts'
import { zoneText } from './call-text.ts'
import { CALENDAR_DATA, hostUrl } from './use-calendar.tsx'
import { addDays, clockAt, clockText, minutesOf, momentOnClock } from './zoned-time.ts'

type BlockProps = { host: ListedHost; span: { date: string; from: number; until: number } | undefined; zone: string; close: () => void }

/** Blocks a span: no calls are booked in it. */
export function BlockDialog({ host, span, zone, close }: BlockProps) {
  const begin = span ?? nextHour(zone)
  // Midnight at the end of a day is the start of the next one.
  const end = begin.until < 24 * 60 ? { date: begin.date, time: begin.until } : { date: addDays(begin.date, 1), time: 0 }
  const momentOf = (date = '', time = '') =>
    date && time ? new Date(momentOnClock({ date, minutes: minutesOf(time) }, zone)).toISOString() : ''
  const form = useForm({
    schema: blockBody,
    read: ({ fromDate, fromTime, untilDate, untilTime, reason }) => ({
      startsAt: momentOf(fromDate, fromTime),
      endsAt: momentOf(untilDate, untilTime),
      ...(reason && { reason }),
    }),
    assign: ({ startsAt, endsAt, ...errors }) => ({
      ...(startsAt && { fromTime: startsAt }),
      ...(endsAt && { untilTime: endsAt }),
      ...errors,
    }),
    send: async (body) => apiRequest('POST', `${hostUrl(host.id)}/blocks`, body),
    done: 'Time blocked',
    failed: 'Could not block the time',
    touches: CALENDAR_DATA,
    onDone: close,
  })
  return (
    <FormDialog
      form={form}
      title={host.isYou ? 'Block time' : `Block time of ${host.name}`}
      submit="Block time"
      pending="Blocking..."
      onClose={close}
    >
      <p className="text-small text-muted">Visitors can’t book calls in this time. Booked calls stay. Times are in {zoneText(zone)}.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="From" name="fromDate">
          <Input type="date" defaultValue={begin.date} />
        </Field>
        <Field label="Starts" name="fromTime">
          <Input type="time" step={300} defaultValue={clockText(begin.from)} />
        </Field>
        <Field label="Until" name="untilDate">
          <Input type="date" defaultValue={end.date} />
        </Field>
        <Field label="Ends" name="untilTime">
          <Input type="time" step={300} defaultValue={clockText(end.time)} />
        </Field>
      </div>
      <Field label="Reason" name="reason" optional hint="Only staff can see it.">
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
