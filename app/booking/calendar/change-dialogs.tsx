import { useState } from 'react'
import type { StaffBooking, StaffChange } from '#app/booking/rules/booking.ts'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { refusedFields } from '#app/ui/admin/use-edit-form.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Select, Textarea } from '#app/ui/input.tsx'
import type { ListedHost } from './calendar.ts'
import { guestOf, momentText } from './call-text.ts'
import { CALENDAR_DATA, CALLS } from './use-calendar.tsx'

type ChangeProps = { call: StaffBooking; close: () => void }

/** Cancels a call, after a confirmation. */
export function CancelDialog({ call, zone, close }: ChangeProps & { zone: string }) {
  const [all, setAll] = useState(false)
  const change = useCallChange(call, close, { done: 'Call cancelled', failed: 'Could not cancel the call' })
  return (
    <FormDialog
      title="Cancel this call?"
      submit={change.isPending ? 'Cancelling...' : all ? 'Cancel all calls' : 'Cancel call'}
      leave={all ? 'Keep calls' : 'Keep call'}
      look="danger"
      busy={change.isPending}
      onClose={close}
      onSubmit={({ reason }) => change.mutate({ action: 'cancel', all, ...(reason && { reason }) })}
    >
      <p className="text-small text-muted">
        {guestOf(call)}, {momentText(call.startsAt, zone)}. We email the guest, and the time is free again.
      </p>
      <label className="flex min-h-11 items-center gap-2.5 text-small">
        <input type="checkbox" className="size-5 accent-leaf" checked={all} onChange={({ target }) => setAll(target.checked)} />
        <span className="wrap-anywhere">Cancel all upcoming calls with {call.email} in one email</span>
      </label>
      <ReasonField failed={change.error} />
    </FormDialog>
  )
}

/** Gives a call to a colleague at the same time. */
export function HandOverDialog({ call, hosts, close }: ChangeProps & { hosts: readonly ListedHost[] }) {
  const others = hosts.filter(({ id }) => id !== call.host?.id)
  const change = useCallChange(call, close, { done: 'Call handed over', failed: 'Could not hand over the call' })
  return (
    <FormDialog
      title="Hand over this call"
      submit={change.isPending ? 'Handing over...' : 'Hand over'}
      busy={change.isPending}
      onClose={close}
      onSubmit={({ hostId = '', reason }) => change.mutate({ action: 'hand_over', hostId, ...(reason && { reason }) })}
    >
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
      <ReasonField failed={change.error} />
    </FormDialog>
  )
}

/** Notes how a call ended. */
export function SettleDialog({ call, status, close }: ChangeProps & { status: 'complete' | 'no_show' }) {
  const [followUp, setFollowUp] = useState(true)
  const isMissed = status === 'no_show'
  const done = isMissed ? 'Marked as no-show' : 'Marked as completed'
  const change = useCallChange(call, close, { done, failed: 'Could not update the call' })
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={() => change.mutate(isMissed ? { action: 'no_show', followUp } : { action: 'complete' })}
      title={isMissed ? 'Mark as a no-show?' : 'Mark as completed?'}
      confirm={change.isPending ? 'Saving...' : isMissed ? 'Mark no-show' : 'Mark completed'}
      look="primary"
      busy={change.isPending}
    >
      <p>{isMissed ? `${guestOf(call)} did not come to the call.` : `The call with ${guestOf(call)} took place.`}</p>
      {isMissed && (
        <label className="mt-3 flex min-h-11 items-center gap-2.5 text-ink">
          <input type="checkbox" className="size-5 accent-leaf" checked={followUp} onChange={({ target }) => setFollowUp(target.checked)} />
          Email the guest a link to book another time
        </label>
      )}
    </ConfirmDialog>
  )
}

export function ReasonField({ failed }: { failed: Error | null }) {
  return (
    <Field
      label="Reason"
      name="reason"
      optional
      hint="The guest reads it in the email."
      error={failed ? refusedFields(failed)['reason'] : undefined}
    >
      <Textarea rows={3} most={500} />
    </Field>
  )
}

export function useCallChange({ id }: StaffBooking, close: () => void, texts: { done: string; failed: string }) {
  return useAdminAction<StaffChange>({
    method: 'PATCH',
    url: `${CALLS}/${id}`,
    body: (change) => change,
    ...texts,
    onDone: close,
    touches: CALENDAR_DATA,
  })
}
