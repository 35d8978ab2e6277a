import { useQuery, useQueryClient } from '@tanstack/react-query'
import { XIcon } from 'lucide-react'
import { MOST_QUESTIONS } from '#app/booking/rules/hours.ts'
import { ConflictDialog, differencesIn } from '#app/ui/admin/comparison-dialog.tsx'
import { RowButton } from '#app/ui/admin/data-table.tsx'
import { Form } from '#app/ui/admin/form.tsx'
import { TextField } from '#app/ui/admin/text-field.tsx'
import { useEditForm } from '#app/ui/admin/use-edit-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { CellInput } from '#app/ui/cell-input.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { CALENDAR, callSettings, type CallSettings } from './calendar.ts'
import { checkSettings, describeSettings, settingFieldsOf, type SettingFields } from './call-settings-fields.ts'
import { settingsQuery } from './use-calendar.tsx'

/** Title, length and questions of all calls. The owner changes them; other staff read them. */
export function CallSettingsPanel() {
  const settings = useQuery(settingsQuery)
  if (settings.isPending) {
    return (
      <>
        <Loading>Loading the settings...</Loading>
        <Skeleton lines={6} />
      </>
    )
  }
  if (settings.isError) return <Failed error={settings.error} retry={settings.refetch} />
  return settings.data.mayChange ? <SettingsForm settings={settings.data} /> : <Facts settings={settings.data} />
}

function Facts({ settings }: { settings: CallSettings }) {
  return (
    <Card className="grid max-w-3xl gap-4">
      <p className="text-small text-muted">Only the owner can change these.</p>
      <dl className="grid gap-3 text-small">
        {Object.entries(describeSettings(settingFieldsOf(settings))).map(([name, value]) => (
          <div key={name} className="grid grid-cols-[10rem_minmax(0,1fr)] gap-3">
            <dt className="text-muted">{name}</dt>
            <dd className="whitespace-pre-wrap">{value || 'None'}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

type SettingsEdit = ReturnType<typeof useSettingsForm>

function useSettingsForm(settings: CallSettings) {
  const client = useQueryClient()
  return useEditForm<CallSettings, SettingFields>({
    noun: 'Call settings',
    url: CALENDAR,
    schema: callSettings,
    row: settings,
    begin: () => ({ fields: settingFieldsOf(settings), slugFollows: false }),
    editOf: (row) => ({ fields: settingFieldsOf(row), slugFollows: false }),
    apply: (edit, change) => ({ ...edit, fields: { ...edit.fields, ...change } }),
    check: checkSettings,
    onSaved: async (row, begin) => {
      begin(row)
      client.setQueryData(settingsQuery.queryKey, row)
    },
  })
}

function SettingsForm({ settings }: { settings: CallSettings }) {
  const form = useSettingsForm(settings)
  const { questions: _questions, ...fields } = form.fields
  const texts = { ...form, fields }
  return (
    <Form form={form} className="grid max-w-3xl grid-cols-1 gap-4">
      <Card className="grid gap-4">
        <TextField form={texts} name="title" label="Title" most={100} hint="In emails, calendars and on the booking page." />
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField form={texts} name="lengthMinutes" label="Length, in minutes" inputMode="decimal" />
          <TextField form={texts} name="stepMinutes" label="Minutes between starts" inputMode="decimal" />
          <TextField form={texts} name="changeWindowHours" label="Change window, in hours" inputMode="decimal" />
        </div>
        <p className="text-small text-muted">
          Guests can change or cancel until the change window before the call. Booked calls keep their length.
        </p>
      </Card>
      <QuestionsCard form={form} />
      <div>
        <SubmitButton>Save settings</SubmitButton>
      </div>
      <ConflictDialog
        form={form}
        noun="settings"
        isPlural
        differencesTo={(newer) => ({ differences: differencesIn(describeSettings(form.fields), describeSettings(settingFieldsOf(newer))) })}
      />
    </Form>
  )
}

function QuestionsCard({ form: { fields, errors, change } }: { form: SettingsEdit }) {
  const { questions } = fields
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
          <RowButton label={`Remove question ${at + 1}`} onClick={() => change({ questions: questions.toSpliced(at, 1) })}>
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
