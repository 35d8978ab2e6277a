import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Switch } from '#app/ui/switch.tsx'
import { fromClock, timeZone, toClock, stateOf } from './post-fields.ts'
import type { PostFormState } from './use-post-form.tsx'

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
        hint={`Time zone: ${timeZone()}. Future dates schedule the post.`}
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

function meaningOf({ fields }: PostFormState): string {
  const state = stateOf(fields)
  if (state === 'draft') return 'Saves as a draft. Only staff can see it.'
  if (state === 'scheduled') return `Schedules the post for ${formatMoment(fields.publishedAt)} (${timeZone()}).`
  return 'Publishes the post for everyone.'
}
