import { useState } from 'react'
import type { StaffBooking } from '#app/booking/rules/booking.ts'
import type { ApiError } from '#app/platform/browser/api.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import { guestOf, momentText, zoneText } from './call-text.ts'
import { ReasonField, useCallForm } from './change-dialogs.tsx'
import { type ClockTime, clockAt, clockText, minutesOf, momentOnClock } from './zoned-time.ts'

type MoveProps = { call: StaffBooking; to: ClockTime | undefined; zone: string; close: () => void }

/** Moves a call, or asks the guest first. The guest learns of it by email either way. */
export function MoveCallDialog({ call, to, zone, close }: MoveProps) {
  const start = to ?? clockAt(Date.parse(call.startsAt), zone)
  const [date, setDate] = useState(start.date)
  const [time, setTime] = useState(clockText(start.minutes))
  const [action, setAction] = useState<'move' | 'ask'>('move')
  const startsAt = date && time ? new Date(momentOnClock({ date, minutes: minutesOf(time) }, zone)).toISOString() : undefined
  const isSame = startsAt === undefined || Date.parse(startsAt) === Date.parse(call.startsAt)
  const form = useCallForm(call, close, {
    read: ({ reason }) => ({ action, startsAt, ...(reason && { reason }) }),
    explain: (error) => takenTime(error, zone),
    done: action === 'move' ? 'Call moved' : `We asked ${guestOf(call)}`,
    failed: action === 'move' ? 'Could not move the call' : 'Could not ask the guest',
  })
  return (
    <FormDialog
      form={form}
      title={`Move the call with ${guestOf(call)}`}
      submit={action === 'move' ? 'Move call' : 'Ask the guest'}
      pending={action === 'move' ? 'Moving...' : 'Sending...'}
      unavailable={isSame ? 'Choose another time first.' : undefined}
      onClose={close}
    >
      <p className="text-small text-muted">
        Now: {momentText(call.startsAt, zone)}. Times are in {zoneText(zone)}.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Date" name="date">
          <Input type="date" value={date} onChange={({ target }) => setDate(target.value)} />
        </Field>
        <Field label="Time" name="time">
          <Input type="time" step={300} value={time} onChange={({ target }) => setTime(target.value)} />
        </Field>
      </div>
      {startsAt && call.timeZone && call.timeZone !== zone && (
        <p className="text-small text-muted">
          For the guest: {momentText(startsAt, call.timeZone)} in {zoneText(call.timeZone)}
        </p>
      )}
      <fieldset className="grid gap-1 text-small">
        <legend className="pb-1 font-semibold">How</legend>
        <Choice name="move" chosen={action} choose={setAction} label="Move it now and tell the guest" />
        <Choice name="ask" chosen={action} choose={setAction} label="Ask the guest first; the call stays until they agree" />
      </fieldset>
      <ReasonField />
    </FormDialog>
  )
}

type ChoiceProps = { name: 'move' | 'ask'; chosen: string; choose: (name: 'move' | 'ask') => void; label: string }

function Choice({ name, chosen, choose, label }: ChoiceProps) {
  return (
    <label className="flex min-h-9 items-center gap-2.5">
      <input type="radio" className="accent-ink" name="action" value={name} checked={chosen === name} onChange={() => choose(name)} />
      {label}
    </label>
  )
}

/** The free times near one that is taken. */
function takenTime({ problem }: ApiError, zone: string) {
  if (problem?.code !== 'slot_taken') return undefined
  const near = problem.alternatives?.map(({ startsAt }) => momentText(startsAt, zone)) ?? []
  return { time: near.length > 0 ? `This time is taken. Free: ${near.join('; ')}` : 'This time is taken.' }
}
