import { countries, services } from '#app/site/content/contact-options.ts'
import { homeForm } from '#app/site/content/quote-forms.ts'
import { EmailField, MessageField, NameField, ScopeFields, SelectField } from '#app/enquiry/enquiry-fields.tsx'
import { EnquiryForm, type EnquiryOutcome } from '#app/enquiry/enquiry-form.tsx'

/** The free consultation: everything by choice, but for the message. */
export function HomeForm(outcome: EnquiryOutcome) {
  return (
    <EnquiryForm form="home" action="/?index" submit={homeForm.submit} {...outcome}>
      {(field) => (
        <>
          <div className="grid gap-5 sm:grid-cols-2">
            <NameField {...field('name')} />
            <EmailField {...field('email')} />
            <SelectField {...field('country')} {...homeForm.country} options={countries} />
            <SelectField {...field('problem')} {...homeForm.service} options={services} />
          </div>
          <MessageField {...field('message')} />
          <ScopeFields field={field} />
        </>
      )}
    </EnquiryForm>
  )
}
