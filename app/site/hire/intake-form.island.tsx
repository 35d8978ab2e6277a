import { landingProblems } from '#app/content/contact-options.ts'
import { CountryField, EmailField, MessageField, NameField, ScopeFields, SelectField } from '#app/leads/form/enquiry-fields.tsx'
import { EnquiryForm, type EnquiryOutcome } from '#app/leads/form/enquiry-form.tsx'
import { intake } from '#app/content/intake.ts'

/** The guided intake: three steps on one page, so that it also works without JavaScript. */
export function IntakeForm(outcome: EnquiryOutcome) {
  return (
    <EnquiryForm form="landing" action="/get-started" submit={intake.submit} {...outcome}>
      {(field) => (
        <>
          <Step number={1} {...intake.need}>
            <SelectField {...field('problem')} {...intake.problem} options={landingProblems} />
          </Step>
          <Step number={2} {...intake.details}>
            <MessageField {...field('message')} />
            <ScopeFields field={field} />
          </Step>
          <Step number={3} {...intake.you}>
            <div className="grid gap-5 sm:grid-cols-2">
              <NameField {...field('name')} />
              <EmailField {...field('email')} />
            </div>
            <CountryField {...field('country')} />
          </Step>
        </>
      )}
    </EnquiryForm>
  )
}

type StepProps = { number: number; title: string; text: string; children: React.ReactNode }

function Step({ number, title, text, children }: StepProps) {
  return (
    <fieldset className="intake-step">
      <legend>
        <span aria-hidden="true">{number}</span>
        <span>
          <b>{title}</b>
          <small>{text}</small>
        </span>
      </legend>
      <div>{children}</div>
    </fieldset>
  )
}
