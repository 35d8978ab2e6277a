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
    <fieldset className="grid min-w-0 gap-x-4 gap-y-5 sm:gap-x-8 grid-cols-[1rem_minmax(0,1fr)] border-t border-line pt-6 pb-4 first:border-t-0 first:pt-0 sm:grid-cols-[2.5rem_minmax(0,1fr)]">
      <legend className="contents">
        <span className="font-mono sm:row-span-2 text-h3 font-semibold text-grain-text" aria-hidden="true">
          {number}
        </span>
        <span>
          <span className="block font-display text-h3 font-semibold tracking-tight">{title}</span>
          <span className="mt-1 block text-small font-normal text-muted">{text}</span>
        </span>
      </legend>
      <div className="col-span-2 grid gap-5 sm:col-span-1 sm:col-start-2">{children}</div>
    </fieldset>
  )
}
