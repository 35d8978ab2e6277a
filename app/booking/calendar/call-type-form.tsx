import { XIcon } from 'lucide-react'
import { bookPath, MOST_QUESTIONS } from '#app/booking/rules/hours.ts'
import { ConflictDialog, differencesIn } from '#app/ui/admin/comparison-dialog.tsx'
import { RowButton } from '#app/ui/admin/data-table.tsx'
import { Form } from '#app/ui/admin/form.tsx'
import { RecordFacts } from '#app/ui/admin/record.tsx'
import { TextField } from '#app/ui/admin/text-field.tsx'
import { useRemoval } from '#app/ui/admin/undo.tsx'
import { useEditForm } from '#app/ui/admin/use-edit-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { CellInput } from '#app/ui/cell-input.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { listedCallType, type ListedCallType } from './calendar.ts'
import { applyChange, callTypeFieldsOf, type CallTypeFields, checkCallType, describeCallType, newCallType } from './call-type-fields.ts'
import { CALENDAR_DATA, TYPES_URL } from './use-calendar.tsx'
import { partOf } from './hours-fields.ts'
import { WeekFields } from './week-fields.tsx'

/** A call type to read, for staff who may not change it. */
export function CallTypeFacts({ type }: { type: ListedCallType }) {
  return (
    <Card className="grid max-w-3xl gap-4">
      <p className="text-small text-muted">Only the owner can change these.</p>
      <div className="whitespace-pre-wrap">
        <RecordFacts facts={Object.entries(describeCallType(callTypeFieldsOf(type))).map(([name, value]) => [name, value || 'None'])} />
      </div>
    </Card>
  )
}

type CallTypeEdit = ReturnType<typeof useCallTypeForm>
type FormProps = { /** Without one, it is new. */ type: ListedCallType | undefined; close: () => void }

const fieldsOf = (type: ListedCallType | undefined) => (type ? callTypeFieldsOf(type) : newCallType)

function useCallTypeForm({ type, close }: FormProps) {
  return useEditForm<ListedCallType, CallTypeFields>({
    noun: 'Call type',
    url: TYPES_URL,
    schema: listedCallType,
    row: type,
    begin: () => ({ fields: fieldsOf(type), slugFollows: type === undefined }),
    editOf: (row) => ({ fields: callTypeFieldsOf(row), slugFollows: false }),
    apply: applyChange,
    check: checkCallType,
    touches: CALENDAR_DATA,
    onSaved: (row, begin) => {
      begin(row)
      close()
    },
  })
}

/** A call type: its title and address, its length, its own hours and place if it has any, and its questions. */
export function CallTypeForm({ type, close }: FormProps) {
  const form = useCallTypeForm({ type, close })
  const { fields } = form
  return (
    <Form form={form} placeOf={partOf} className="grid max-w-3xl grid-cols-1 gap-4">
      <MainCard form={form} />
      <HoursCard form={form} />
      <QuestionsCard form={form} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>Save call type</SubmitButton>
        <Button type="button" look="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
      <ConflictDialog
        form={form}
        noun="call type"
        differencesTo={(newer) => ({ differences: differencesIn(describeCallType(fields), describeCallType(callTypeFieldsOf(newer))) })}
      />
    </Form>
  )
}

/** The part of the form that consists of texts. */
function textsOf({
  fields: { isFirst: _f, isActive: _a, hasOwnHours: _o, hours: _h, questions: _q, ...fields },
  errors,
  change,
}: CallTypeEdit) {
  return { fields, errors, change }
}

function MainCard({ form }: { form: CallTypeEdit }) {
  const { fields, change } = form
  const texts = textsOf(form)
  return (
    <Card className="grid gap-4">
      <Switch label="Can be booked" checked={fields.isActive} onChange={(isActive) => change({ isActive })} />
      <TextField form={texts} name="title" label="Title" most={100} hint="In emails, calendars and on the booking page." />
      {fields.isFirst ? (
        <p className="text-small text-muted">Its address is {bookPath(null)}: every button that offers a call leads there.</p>
      ) : (
        <TextField form={texts} name="slug" label="Address" most={60} hint={`Visitors book it at ${bookPath(fields.slug || '…')}`} />
      )}
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField form={texts} name="lengthMinutes" label="Length, in minutes" inputMode="decimal" />
        <TextField form={texts} name="stepMinutes" label="Minutes between starts" inputMode="decimal" />
        <TextField form={texts} name="changeWindowHours" label="Change window, in hours" inputMode="decimal" />
      </div>
      <p className="text-small text-muted">
        Guests can change or cancel until the change window before the call. Booked calls keep their length.
      </p>
    </Card>
  )
}

function HoursCard({ form }: { form: CallTypeEdit }) {
  const { fields, errors, change } = form
  const texts = textsOf(form)
  return (
    <Card as="section" aria-labelledby="own-hours" className="grid gap-4">
      <div>
        <h2 id="own-hours" className="text-h3">
          Hours and place
        </h2>
        <p className="text-small text-muted">Each host’s own setting applies where a field is empty.</p>
      </div>
      <Switch label="Hours of its own" checked={fields.hasOwnHours} onChange={(hasOwnHours) => change({ hasOwnHours })} />
      {fields.hasOwnHours && (
        <div className="grid gap-3">
          <p className="text-small text-muted">In the time zone of each host. Their free days and dates with other hours limit them.</p>
          <WeekFields hours={fields.hours} errors={errors} change={(hours) => change({ hours })} />
        </div>
      )}
      <TextField form={texts} name="place" label="Where it takes place" optional most={500} hint="A link, an address, or “We call you”." />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField form={texts} name="noticeHours" label="Notice, in hours" optional inputMode="decimal" />
        <TextField form={texts} name="bufferBeforeMinutes" label="Minutes free before" optional inputMode="decimal" />
        <TextField form={texts} name="bufferAfterMinutes" label="Minutes free after" optional inputMode="decimal" />
      </div>
    </Card>
  )
}

function QuestionsCard({ form: { fields, errors, change } }: { form: CallTypeEdit }) {
  const { questions } = fields
  const remove = useRemoval(questions, (kept) => change({ questions: kept }))
  return (
    <Card as="section" aria-labelledby="questions" className="grid gap-3">
      <div>
        <h2 id="questions" className="text-h3">
          Your questions
        </h2>
        <p className="text-small text-muted">Up to {MOST_QUESTIONS}, asked beside name, email and project.</p>
      </div>
      {questions.map((question, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the fields are controlled, and a question has no identity of its own
        <div key={at} className="flex flex-wrap items-start gap-x-4 gap-y-1">
          <span className="grow basis-60">
            <CellInput
              label={`Question ${at + 1}`}
              name={`questions.${at}.label`}
              value={question.label}
              most={200}
              error={errors[`questions.${at}.label`]}
              onChange={({ target }) => change({ questions: questions.with(at, { ...question, label: target.value }) })}
            />
          </span>
          <label className="flex min-h-(--control-small) items-center gap-2 text-small">
            <input
              type="checkbox"
              className="size-4 accent-leaf"
              checked={question.isRequired}
              onChange={({ target }) => change({ questions: questions.with(at, { ...question, isRequired: target.checked }) })}
            />
            Required
          </label>
          <RowButton label={`Remove question ${at + 1}`} onClick={() => remove(at, `Question ${at + 1} removed`)}>
            <XIcon aria-hidden="true" />
          </RowButton>
        </div>
      ))}
      {questions.length < MOST_QUESTIONS && (
        <div>
          <Button
            type="button"
            look="quiet"
            size="small"
            onClick={() => change({ questions: [...questions, { label: '', isRequired: false }] })}
          >
            Add a question
          </Button>
        </div>
      )}
    </Card>
  )
}
