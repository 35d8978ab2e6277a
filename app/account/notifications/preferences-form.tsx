import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Form } from '#app/ui/admin/form.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { BareSelect, Input, Select } from '#app/ui/input.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'
import { notificationKinds } from './notification.ts'
import {
  emailChoices,
  type NotificationPreferences,
  notificationPreferences,
  PREFERENCES,
  preferencesBody,
  type PreferencesBody,
} from './preference.ts'

type Chosen = PreferencesBody

/** Night, for a person who turns quiet hours on. */
const usualQuiet = { quietFrom: 22 * 60, quietUntil: 7 * 60 }

/** Which channel tells about what, the digest, and the quiet hours. One button saves all of it. */
export function PreferencesForm({ preferences }: { preferences: NotificationPreferences }) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState(() => chosenOf(preferences))
  const form = useForm({
    schema: preferencesBody,
    read: () => chosen,
    send: async (body) => notificationPreferences.parse(await (await apiRequest('PUT', PREFERENCES, body)).json()),
    done: 'Preferences saved',
    failed: 'Preferences not saved',
    onDone(saved) {
      client.setQueryData([PREFERENCES], saved)
      setChosen(chosenOf(saved))
    },
  })
  const change = (part: Partial<Chosen>) => setChosen((before) => ({ ...before, ...part }))
  return (
    <Form form={form} className="grid grid-cols-1 gap-6">
      <ChannelsSection email={preferences.email} channels={chosen.channels} change={change} />
      <TimesSection chosen={chosen} change={change} />
      <div>
        <SubmitButton>Save preferences</SubmitButton>
      </div>
    </Form>
  )
}

type ChannelsProps = { email: string | null; channels: Chosen['channels']; change: (part: Partial<Chosen>) => void }

function ChannelsSection({ email, channels, change }: ChannelsProps) {
  const set = (kind: string, part: object) =>
    change({ channels: channels.map((each) => (each.kind === kind ? { ...each, ...part } : each)) })
  return (
    <AccountSection
      id="channels"
      title="Notification channels"
      intro={
        <>
          The bell has everything. {email ? `Emails go to ${email}.` : 'Emails need a confirmed address, so none are sent yet.'}{' '}
          Notifications that you have read in the bell are not sent later.
        </>
      }
    >
      <Table caption="Channels by kind">
        <thead>
          <tr>
            <HeadCell className="font-sans! max-sm:px-2!">Kind</HeadCell>
            <HeadCell className="font-sans! max-sm:px-2!">Email</HeadCell>
            <HeadCell className="font-sans! max-sm:px-2!">Push</HeadCell>
          </tr>
        </thead>
        <tbody>
          {channels.map(({ kind, email: choice, push }) => {
            const { label } = notificationKinds[kind]
            return (
              <TableRow key={kind}>
                <Cell className="align-middle! max-sm:px-2!">{label}</Cell>
                <Cell className="max-sm:px-1!">
                  <div className="w-30 sm:w-32">
                    <BareSelect
                      aria-label={`Email: ${label}`}
                      value={choice}
                      onChange={({ target }) => set(kind, { email: target.value })}
                      className="pr-7! pl-2! text-small!"
                    >
                      {Object.entries(emailChoices).map(([value, text]) => (
                        <option key={value} value={value}>
                          {text}
                        </option>
                      ))}
                    </BareSelect>
                  </div>
                </Cell>
                <Cell className="align-middle! max-sm:px-2!">
                  <label className="inline-flex size-9 items-center pointer-coarse:size-11">
                    <span className="sr-only">Push: {label}</span>
                    <input
                      type="checkbox"
                      checked={push}
                      onChange={({ target }) => set(kind, { push: target.checked })}
                      className="size-4.5 accent-grain-text"
                    />
                  </label>
                </Cell>
              </TableRow>
            )
          })}
        </tbody>
      </Table>
    </AccountSection>
  )
}

type TimesProps = { chosen: Chosen; change: (part: Partial<Chosen>) => void }

function TimesSection({ chosen: { zone, digestHour, quietFrom, quietUntil }, change }: TimesProps) {
  const isQuiet = quietFrom !== null && quietUntil !== null
  return (
    <AccountSection
      id="times"
      title="When"
      intro="During quiet hours, emails and push messages wait until they end, and come as one. The digest comes at its hour."
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Time zone" name="zone">
          <Select value={zone} onChange={({ target }) => change({ zone: target.value })}>
            {zonesWith(zone).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </Field>
        <Field label="Daily digest at" name="digestHour">
          <Select value={digestHour} onChange={({ target }) => change({ digestHour: Number(target.value) })}>
            {Array.from({ length: 24 }, (_, hour) => (
              <option key={hour} value={hour}>
                {clockText(hour * 60)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Switch label="Quiet hours" checked={isQuiet} onChange={(on) => change(on ? usualQuiet : { quietFrom: null, quietUntil: null })} />
      {isQuiet && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="From" name="quietFrom">
            <Input
              type="time"
              value={clockText(quietFrom)}
              onChange={({ target }) => change({ quietFrom: minutesIn(target.value, quietFrom) })}
            />
          </Field>
          <Field label="Until" name="quietUntil">
            <Input
              type="time"
              value={clockText(quietUntil)}
              onChange={({ target }) => change({ quietUntil: minutesIn(target.value, quietUntil) })}
            />
          </Field>
        </div>
      )}
    </AccountSection>
  )
}

function chosenOf({ channels, zone, digestHour, quietFrom, quietUntil }: NotificationPreferences): Chosen {
  return { channels, zone: zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone, digestHour, quietFrom, quietUntil }
}

/** A browser may call its own zone by a name that it does not list. */
function zonesWith(own: string): string[] {
  const names = Intl.supportedValuesOf('timeZone')
  return names.includes(own) ? names : [own, ...names]
}

function clockText(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** A time that is not complete yet keeps the one before. */
function minutesIn(text: string, before: number): number {
  const [hours = Number.NaN, minutes = Number.NaN] = text.split(':').map(Number)
  const sum = hours * 60 + minutes
  return Number.isNaN(sum) ? before : sum
}
