import { countries, serviceOptions } from '#app/content/contact-options.ts'
import { homeForm } from '#app/content/quote-forms.ts'
import { EmailField, MessageField, NameField, ScopeFields, SelectField } from '#app/leads/form/enquiry-fields.tsx'
import { EnquiryForm, type EnquiryOutcome } from '#app/leads/form/enquiry-form.tsx'

/** The form for a free consultation: problem, budget and timeframe are choices. */
export function HomeForm(outcome: EnquiryOutcome) {
  return (
    <EnquiryForm form="home" action="/?index" submit={homeForm.submit} {...outcome}>
      {(field) => (
        <>
          <div className="grid gap-5 sm:grid-cols-2">
            <NameField {...field('name')} />
            <EmailField {...field('email')} />
            <SelectField {...field('country')} {...homeForm.country} options={countries} />
            <SelectField {...field('problem')} {...homeForm.service} options={serviceOptions} />
          </div>
          <MessageField {...field('message')} />
          <ScopeFields field={field} />
        </>
      )}
    </EnquiryForm>
  )
}
