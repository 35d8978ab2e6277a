import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import type { ListedCallType, ListedHost } from '#app/booking/calendar/calendar.ts'
import { momentText, zoneText } from '#app/booking/calendar/call-text.ts'
import { CALENDAR_DATA, CALLS, hostsQuery, typesQuery, useLiveCalls } from '#app/booking/calendar/use-calendar.tsx'
import { ZoneOptions } from '#app/booking/calendar/zone-options.tsx'
import { type LeadBooking, leadBooking, leadProposal, MOST_TIMES, staffBooking } from '#app/booking/rules/booking.ts'
import { HOURS_PAGE, TYPES_PAGE } from '#app/booking/rules/hours.ts'
import { placeKind } from '#app/booking/rules/place.ts'
import type { LeadDetail } from '#app/leads/record/timeline.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select, Textarea } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { FreeTimes, useFreeTimes } from './free-times.tsx'

type ScheduleProps = { lead: LeadDetail; close: () => void }

/** Books a call for the person of a lead, or emails them times to choose from. */
export function ScheduleDialog({ lead, close }: ScheduleProps) {
  const hosts = useQuery(hostsQuery)
  const types = useQuery(typesQuery)
  const calls = useQuery(apiQuery(`${CALLS}?${new URLSearchParams({ contactId: lead.id, cancelled: 'true' })}`, z.array(staffBooking)))
  useLiveCalls()
  const taking = hosts.data?.filter(({ isActive, isConfirmed }) => isActive && isConfirmed) ?? []
  const you = hosts.data?.find(({ isYou }) => isYou)
  const offered = types.data?.filter(({ isActive }) => isActive) ?? []
  if (you && calls.data && taking.length > 0 && offered.length > 0) {
    const guestZone = calls.data.at(-1)?.timeZone ?? you.zone
    return <ScheduleForm lead={lead} hosts={taking} types={offered} you={you} guestZone={guestZone} close={close} />
  }
  const failed = [hosts, types, calls].find(({ isError }) => isError)
  return (
    <Dialog open onClose={close} title="Schedule call">
      {failed?.error && <Failed error={failed.error} retry={failed.refetch} />}
      {!failed && (hosts.isPending || types.isPending || calls.isPending) && <Loading>Loading the hosts...</Loading>}
      {hosts.data && types.data && taking.length > 0 && offered.length === 0 && (
        <Empty
          title="No call type is on"
          action={
            <Link to={TYPES_PAGE} className="link">
              Switch one on
            </Link>
          }
        >
          <p>Then you can book it for others, too.</p>
        </Empty>
      )}
      {hosts.data && taking.length === 0 && (
        <Empty
          title="No one takes calls"
          action={
            <Link to={HOURS_PAGE} className="link">
              Set your hours
            </Link>
          }
        >
          <p>Confirm the hours in which you take calls. Then you can book them for others, too.</p>
        </Empty>
      )}
    </Dialog>
  )
}

type FormProps = ScheduleProps & { hosts: readonly ListedHost[]; types: readonly ListedCallType[]; you: ListedHost; guestZone: string }
type Deed = 'book' | 'propose'

function ScheduleForm({ lead, hosts, types, you, guestZone, close }: FormProps) {
  const [callTypeId, setCallTypeId] = useState(types[0]?.id ?? '')
  const [deed, setDeed] = useState<Deed>('book')
  const [hostId, setHostId] = useState(hosts.some(({ id }) => id === you.id) ? you.id : '')
  // Until someone chooses another one, it is that of the latest call, which may still be loading.
  const [chosenZone, setTimeZone] = useState<string>()
  const timeZone = chosenZone ?? guestZone
  const [picked, setPicked] = useState<readonly string[]>([])
  const free = useFreeTimes({ hostId, callTypeId })
  const most = deed === 'book' ? 1 : MOST_TIMES
  // A time that someone else has taken meanwhile is no longer chosen.
  const chosen = picked.filter((startsAt) => free.data?.slots.some((slot) => slot.startsAt === startsAt)).slice(-most)
  const { book, propose } = useSchedule(lead, {
    chosen,
    call: { contactId: lead.id, callTypeId, timeZone, ...(hostId && { hostId }) },
    close,
  })
  const ownPlace = types.find(({ id }) => id === callTypeId)?.place
  const needsPhone = deed === 'book' && !lead.phone && hosts.some(({ place }) => placeKind(ownPlace ?? place) === 'phone')
  return (
    <FormDialog
      form={deed === 'book' ? book : propose}
      title={`Schedule a call with ${lead.name}`}
      submit={submitText(deed, chosen, you.zone)}
      pending={deed === 'book' ? 'Booking...' : 'Sending...'}
      unavailable={chosen.length === 0 ? 'Choose a time first.' : undefined}
      onClose={close}
    >
      <fieldset className="grid gap-1 text-small">
        <legend className="pb-1 font-semibold">How</legend>
        <Choice name="book" chosen={deed} choose={setDeed} label="Book it now; they get the invitation by email" />
        <Choice name="propose" chosen={deed} choose={setDeed} label={`Email up to ${MOST_TIMES} times to choose from`} />
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        {types.length > 1 && (
          <Field label="Call" name="callType">
            <Select value={callTypeId} onChange={({ target }) => setCallTypeId(target.value)}>
              {types.map(({ id, title, lengthMinutes }) => (
                <option key={id} value={id}>
                  {title}, {lengthMinutes} minutes
                </option>
              ))}
            </Select>
          </Field>
        )}
        {hosts.length > 1 && (
          <Field label="Host" name="host">
            <Select value={hostId} onChange={({ target }) => setHostId(target.value)}>
              <option value="">Anyone who is free</option>
              {hosts.map(({ id, name, isYou }) => (
                <option key={id} value={id}>
                  {isYou ? `${name} (you)` : name}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label="Their time zone" name="timeZone">
          <Select value={timeZone} onChange={({ target }) => setTimeZone(target.value)}>
            <ZoneOptions chosen={timeZone} />
          </Select>
        </Field>
      </div>
      <FreeTimes free={free} zone={you.zone} chosen={chosen} most={most} choose={setPicked} />
      {chosen.length > 0 && (
        <p className="text-small text-muted" role="status">
          For {lead.name}: {chosen.map((startsAt) => momentText(startsAt, timeZone)).join('; ')} in {zoneText(timeZone)}
        </p>
      )}
      {needsPhone && (
        <Field label="Their phone number" name="phone" hint="The host calls them.">
          <Input type="tel" most={40} />
        </Field>
      )}
      {deed === 'propose' && (
        <Field label="Note" name="note" optional hint="They read it above the times.">
          <Textarea rows={3} most={1000} />
        </Field>
      )}
    </FormDialog>
  )
}

/** The data that both actions change: calls, and the lead with its timeline. */
const TOUCHED = [...CALENDAR_DATA, '/api/leads', '/api/contacts', '/api/consultations', '/api/workspace']

type Scheduled = { chosen: readonly string[]; call: Omit<LeadBooking, 'startsAt'>; close: () => void }

function useSchedule({ name, email }: LeadDetail, { chosen, call, close }: Scheduled) {
  const ways = { onDone: close, touches: TOUCHED }
  const book = useForm({
    ...ways,
    schema: leadBooking,
    read: ({ phone }) => ({ ...call, startsAt: chosen[0], phone }),
    send: async (body) => apiRequest('POST', CALLS, body),
    done: `Call booked. ${name} gets the invitation by email.`,
    failed: 'Could not book the call',
  })
  const propose = useForm({
    ...ways,
    schema: leadProposal,
    read: ({ note }) => ({ ...call, times: chosen, note }),
    send: async (body) => apiRequest('POST', `${CALLS}/proposals`, body),
    done: `Times sent to ${email}`,
    failed: 'Could not send the times',
  })
  return { book, propose }
}

function submitText(deed: Deed, chosen: readonly string[], zone: string): string {
  const [startsAt] = chosen
  if (deed === 'propose') return chosen.length > 1 ? `Email ${chosen.length} times` : 'Email the time'
  return startsAt ? `Book ${momentText(startsAt, zone)}` : 'Book'
}

type ChoiceProps = { name: Deed; chosen: Deed; choose: (name: Deed) => void; label: string }

function Choice({ name, chosen, choose, label }: ChoiceProps) {
  return (
    <label className="flex min-h-9 items-center gap-2.5">
      <input type="radio" className="accent-ink" name="deed" value={name} checked={chosen === name} onChange={() => choose(name)} />
      {label}
    </label>
  )
}
