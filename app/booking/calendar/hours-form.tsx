import { ConflictDialog, differencesIn } from '#app/ui/admin/comparison-dialog.tsx'
import { Form } from '#app/ui/admin/form.tsx'
import { TextField } from '#app/ui/admin/text-field.tsx'
import { useEditForm } from '#app/ui/admin/use-edit-form.ts'
import { Card } from '#app/ui/card.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { PlaceKind } from '#app/booking/rules/place.ts'
import { CALENDAR, listedHost, type ListedHost } from './calendar.ts'
import { assignErrors, checkHours, describeHours, fieldsOf, type HoursFields, partOf, placeNames } from './hours-fields.ts'
import { SlotPreview } from './slot-preview.tsx'
import { WeekFields } from './week-fields.tsx'
import { CALENDAR_DATA } from './use-calendar.tsx'
import { ZoneOptions } from './zone-options.tsx'

type HoursEdit = ReturnType<typeof useHoursForm>

/** The weekly hours and limits of one host, with the free times that they give. `children` are below the form. */
export function HoursForm({ host, children }: { host: ListedHost; children: React.ReactNode }) {
  const form = useHoursForm(host)
  const { body } = checkHours(form.fields)
  return (
    <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
      <div className="grid grid-cols-1 gap-6">
        <Form form={form} placeOf={partOf} className="grid grid-cols-1 gap-4">
          <HostCard form={form} />
          <WeekCard form={form} />
          <LimitsCard form={form} />
          <div>
            <SubmitButton>{form.base?.isConfirmed ? 'Save hours' : 'Confirm hours'}</SubmitButton>
          </div>
        </Form>
        {children}
      </div>
      <SlotPreview hostId={host.id} body={body} />
      <ConflictDialog
        form={form}
        noun="hours"
        isPlural
        differencesTo={(newer) => ({ differences: differencesIn(describeHours(form.fields), describeHours(fieldsOf(newer))) })}
      />
    </div>
  )
}

function useHoursForm(host: ListedHost) {
  return useEditForm<ListedHost, HoursFields>({
    noun: 'Hours',
    url: `${CALENDAR}/hosts`,
    schema: listedHost,
    row: host,
    begin: () => ({ fields: firstFieldsOf(host), slugFollows: false }),
    editOf: (row) => ({ fields: fieldsOf(row), slugFollows: false }),
    apply: (edit, change) => ({ ...edit, fields: { ...edit.fields, ...change } }),
    check: checkHours,
    assign: assignErrors,
    touches: CALENDAR_DATA,
    onSaved: (row, begin) => begin(row),
  })
}

const firstFieldsOf = (host: ListedHost): HoursFields => ({ ...fieldsOf(host), zone: firstZoneOf(host) })

/** The zone of hosts who have confirmed none is the server's, so their browser knows better. */
function firstZoneOf({ zone, isConfirmed, isYou }: ListedHost): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return !isConfirmed && isYou && Intl.supportedValuesOf('timeZone').includes(timeZone) ? timeZone : zone
}

function HostCard({ form }: { form: HoursEdit }) {
  const { fields, change } = form
  return (
    <Card as="section" aria-label="Host" className="grid gap-4">
      <Switch label="Takes calls" checked={fields.isActive} onChange={(isActive) => change({ isActive })} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={textsOf(form)} name="name" label="Name" hint="Guests see it." />
        <ZoneField form={form} />
      </div>
      <PlaceFields form={form} />
    </Card>
  )
}

/** Guests are promised a link only where there is one. */
function PlaceFields({ form }: { form: HoursEdit }) {
  const { fields, change } = form
  const { placeKind } = fields
  const hint = placeKind === 'none' ? 'Until you decide, guests read: “You get the link before the call”. We remind you.' : undefined
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Where calls take place" name="placeKind" hint={hint}>
        <Select value={placeKind} onChange={({ target }) => change({ placeKind: kindNamed(target.value), place: '' })}>
          {Object.entries(placeNames).map(([kind, name]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {placeKind === 'link' && (
        <TextField form={textsOf(form)} name="place" label="Link to the call" inputMode="url" placeholder="https://" />
      )}
      {placeKind === 'address' && <TextField form={textsOf(form)} name="place" label="Address" />}
    </div>
  )
}

const kinds: readonly PlaceKind[] = ['none', 'link', 'phone', 'address']

function kindNamed(name: string): PlaceKind {
  return kinds.find((kind) => kind === name) ?? 'none'
}

function ZoneField({ form: { fields, change } }: { form: HoursEdit }) {
  return (
    <Field label="Time zone" name="zone" hint="Your hours are in it.">
      <Select value={fields.zone} onChange={({ target }) => change({ zone: target.value })}>
        <ZoneOptions chosen={fields.zone} />
      </Select>
    </Field>
  )
}

function WeekCard({ form: { fields, errors, change } }: { form: HoursEdit }) {
  return (
    <Card as="section" aria-labelledby="weekly-hours" className="grid gap-3">
      <h2 id="weekly-hours" className="text-h3">
        Weekly hours
      </h2>
      <WeekFields hours={fields.hours} errors={errors} change={(hours) => change({ hours })} />
    </Card>
  )
}

function LimitsCard({ form }: { form: HoursEdit }) {
  const texts = textsOf(form)
  return (
    <Card as="section" aria-labelledby="call-limits" className="grid gap-4">
      <h2 id="call-limits" className="text-h3">
        Limits
      </h2>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={texts} name="noticeHours" label="Notice, in hours" hint="From booking to call, at least." inputMode="decimal" />
        <TextField form={texts} name="horizonDays" label="Days ahead" hint="How far ahead visitors can book." inputMode="decimal" />
        <TextField form={texts} name="bufferBeforeMinutes" label="Minutes free before a call" inputMode="decimal" />
        <TextField form={texts} name="bufferAfterMinutes" label="Minutes free after a call" inputMode="decimal" />
        <TextField form={texts} name="dailyCap" label="Calls per day" optional hint="At most. Empty: no limit." inputMode="decimal" />
      </div>
    </Card>
  )
}

/** The part of the form that consists of texts. */
function textsOf({ fields: { isActive: _isActive, hours: _hours, ...fields }, errors, change }: HoursEdit) {
  return { fields, errors, change }
}
