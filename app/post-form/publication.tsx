import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Switch } from '#app/ui/switch.tsx'
import { fromClock, timeZone, toClock } from '#app/post-writing/moment-field.ts'
import { stateOf } from '#app/post-writing/post-fields.ts'
import type { PostFormState } from './use-post-form.tsx'

/** Whether readers see the post, and from when on. */
export function Publication({ form }: { form: PostFormState }) {
  const { fields, errors, change } = form
  return (
    <div className="grid gap-5">
      <Switch
        label="Published"
        checked={fields.published}
        onChange={(published) => change({ published })}
        describedBy="what-published-means"
      />
      <Field
        label="Publication date and time"
        name="publishedAt"
        optional
        error={errors['publishedAt']}
        hint={`In the time zone ${timeZone()}. In the future, the post waits for it.`}
      >
        <Input
          type="datetime-local"
          value={toClock(fields.publishedAt)}
          onChange={(event) => change({ publishedAt: fromClock(event.target.value) })}
        />
      </Field>
      <p id="what-published-means" role="status" className="text-small text-muted">
        {meaningOf(form)}
      </p>
    </div>
  )
}

function meaningOf({ fields, base }: PostFormState): string {
  const button = base ? 'Update' : 'Create'
  const state = stateOf(fields)
  if (state === 'draft') return `Once you press ${button}, it is a draft, which staff alone see.`
  if (state === 'scheduled')
    return `Once you press ${button}, it waits and becomes public on ${formatMoment(fields.publishedAt)} (${timeZone()}).`
  return `Once you press ${button}, everyone sees this.`
}
