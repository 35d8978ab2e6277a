import { bookTexts } from '#app/content/book.ts'
import type { CallType } from '#app/booking/rules/hours.ts'
import { enquiryLimits } from '#app/leads/lead/enquiry-limits.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Textarea } from '#app/ui/input.tsx'

type BookFormProps = {
  action: string
  hold: { id: string; text: string; until: string; startsAt: string; needsPhone: boolean }
  zone: string
  questions: CallType['questions']
  /** The typed text, by field. */
  values: Record<string, string>
  errors: Record<string, string>
  /** Whether their message has come with an enquiry. */
  hasMessage: boolean
  /** Work for the browser before the form can be sent again. */
  challenge?: string | undefined
}

/** The details of the guest, for the time that is held. */
export function BookForm({ action, hold, zone, questions, values, errors, hasMessage, challenge }: BookFormProps) {
  const { fields } = bookTexts
  const field = (name: string) => ({ name, error: errors[name] })
  return (
    <form id="details" method="post" action={action} noValidate className="grid scroll-mt-6 gap-5">
      <div className="grid gap-3 rounded-card border border-leaf bg-leaf-wash p-4">
        <p className="text-h3">{hold.text}</p>
        <p className="text-small">
          {zone.replaceAll('_', ' ')}. {bookTexts.held} {hold.until}.
        </p>
      </div>
      <input type="hidden" name="holdId" value={hold.id} />
      <input type="hidden" name="startsAt" value={hold.startsAt} />
      {challenge && <input type="hidden" name="proof" data-challenge={challenge} />}
      {values['enquiry'] && <input type="hidden" name="enquiry" value={values['enquiry']} />}
      <ErrorSummary errors={errors} />
      <h2 className="text-h3">{bookTexts.details}</h2>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={fields.name} {...field('name')}>
          <Input autoComplete="name" most={enquiryLimits.name} defaultValue={values['name']} />
        </Field>
        <Field label={fields.email} {...field('email')}>
          <Input type="email" autoComplete="email" spellCheck={false} most={enquiryLimits.email} defaultValue={values['email']} />
        </Field>
        <Field label={fields.company} {...field('company')} optional>
          <Input autoComplete="organization" most={enquiryLimits.company} defaultValue={values['company']} />
        </Field>
        <Field label={fields.phone} hint={hold.needsPhone ? fields.phoneHint : undefined} {...field('phone')} optional={!hold.needsPhone}>
          <Input type="tel" autoComplete="tel" most={40} defaultValue={values['phone']} />
        </Field>
      </div>
      <Field
        label={fields.projectDescription}
        hint={hasMessage ? fields.knownHint : fields.projectHint}
        {...field('projectDescription')}
        optional={hasMessage}
      >
        <Textarea rows={5} most={enquiryLimits.message} defaultValue={values['projectDescription']} />
      </Field>
      {questions.map(({ label, isRequired }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- two questions can have the same text
        <Field key={at} label={label} {...field(`answer${at}`)} optional={!isRequired}>
          <Input most={1000} defaultValue={values[`answer${at}`]} />
        </Field>
      ))}
      <div aria-hidden="true" className="sr-only">
        <label>
          Leave this empty
          <input type="text" name="homepage" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <div className="grid gap-3">
        <Button size="large" name="intent" value="book" className="w-full sm:w-auto sm:justify-self-start">
          {bookTexts.submit}
        </Button>
        {/* After the main button: Enter in a field presses the first button of its form. */}
        <p className="flex flex-wrap gap-3">
          <Button look="quiet" size="small" name="intent" value="another">
            {bookTexts.another}
          </Button>
          <Button look="quiet" size="small" name="intent" value="release">
            {bookTexts.release}
          </Button>
        </p>
        <p className="text-fine text-muted">
          {bookTexts.privacy.before}{' '}
          <a href="/privacy-policy" className="link">
            {bookTexts.privacy.link}
          </a>
        </p>
      </div>
    </form>
  )
}
