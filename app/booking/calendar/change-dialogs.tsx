import { useState } from 'react'
import { type StaffBooking, type StaffChange, staffChange } from '#app/booking/rules/booking.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { QuestionDialog } from '#app/ui/admin/action-button.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Select, Textarea } from '#app/ui/input.tsx'
import type { ListedHost } from './calendar.ts'
import { guestOf, momentText } from './call-text.ts'
import { CALENDAR_DATA, CALLS } from './use-calendar.tsx'

type ChangeProps = { call: StaffBooking; close: () => void }

/** Cancels a call, after a confirmation. */
export function CancelDialog({ call, zone, close }: ChangeProps & { zone: string }) {
  const [all, setAll] = useState(false)
  const form = useCallForm(call, close, {
    read: ({ reason }) => ({ action: 'cancel', all, ...(reason && { reason }) }),
    done: 'Call cancelled',
    failed: 'Could not cancel the call',
  })
  return (
    <FormDialog
      form={form}
      title="Cancel this call?"
      submit={all ? 'Cancel all calls' : 'Cancel call'}
      pending="Cancelling..."
      leave={all ? 'Keep calls' : 'Keep call'}
      look="danger"
      onClose={close}
    >
      <p className="text-small text-muted">
        {guestOf(call)}, {momentText(call.startsAt, zone)}. We email the guest, and the time is free again.
      </p>
      <label className="flex min-h-11 items-center gap-2.5 text-small">
        <input type="checkbox" className="size-5 accent-leaf" checked={all} onChange={({ target }) => setAll(target.checked)} />
        <span className="wrap-anywhere">Cancel all upcoming calls with {call.email} in one email</span>
      </label>
      <ReasonField />
    </FormDialog>
  )
}

/** Gives a call to a colleague at the same time. */
export function HandOverDialog({ call, hosts, close }: ChangeProps & { hosts: readonly ListedHost[] }) {
  const others = hosts.filter(({ id }) => id !== call.host?.id)
  const form = useCallForm(call, close, {
    read: ({ hostId, reason }) => ({ action: 'hand_over', hostId, ...(reason && { reason }) }),
    done: 'Call handed over',
    failed: 'Could not hand over the call',
  })
  return (
    <FormDialog form={form} title="Hand over this call" submit="Hand over" pending="Handing over..." onClose={close}>
      <p className="text-small text-muted">The time stays. We email {guestOf(call)} and both hosts.</p>
      <Field label="New host" name="hostId">
        <Select defaultValue={others.find(({ isActive }) => isActive)?.id ?? others[0]?.id}>
          {others.map(({ id, name, isActive }) => (
            <option key={id} value={id}>
              {isActive ? name : `${name} (takes no calls)`}
            </option>
          ))}
        </Select>
      </Field>
      <ReasonField />
    </FormDialog>
  )
}

/** Notes how a call ended. */
export function SettleDialog({ call, status, close }: ChangeProps & { status: 'complete' | 'no_show' }) {
  const [followUp, setFollowUp] = useState(true)
  const isMissed = status === 'no_show'
  const change = {
    send: async () => changeCall(call, isMissed ? { action: 'no_show', followUp } : { action: 'complete' }),
    done: isMissed ? 'Marked as no-show' : 'Marked as completed',
    failed: 'Could not update the call',
    touches: CALENDAR_DATA,
  }
  return (
    <QuestionDialog
      action={change}
      close={close}
      question={isMissed ? 'Mark as a no-show?' : 'Mark as completed?'}
      confirm={isMissed ? 'Mark no-show' : 'Mark completed'}
      pending="Saving..."
      look="primary"
    >
      <p>{isMissed ? `${guestOf(call)} did not come to the call.` : `The call with ${guestOf(call)} took place.`}</p>
      {isMissed && (
        <label className="mt-3 flex min-h-11 items-center gap-2.5 text-ink">
          <input type="checkbox" className="size-5 accent-leaf" checked={followUp} onChange={({ target }) => setFollowUp(target.checked)} />
          Email the guest a link to book another time
        </label>
      )}
    </QuestionDialog>
  )
}

export function ReasonField() {
  return (
    <Field label="Reason" name="reason" optional hint="The guest reads it in the email.">
      <Textarea rows={3} most={500} />
    </Field>
  )
}

const changeCall = async ({ id }: StaffBooking, body: StaffChange) => apiRequest('PATCH', `${CALLS}/${id}`, body)

type CallForm = Pick<Parameters<typeof useForm<StaffChange>>[0], 'read' | 'done' | 'failed' | 'explain'>

export function useCallForm(call: StaffBooking, close: () => void, way: CallForm) {
  return useForm({ ...way, schema: staffChange, send: async (body) => changeCall(call, body), touches: CALENDAR_DATA, onDone: close })
}
