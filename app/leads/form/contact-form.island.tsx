import { enquiryForm } from '#app/content/enquiry.ts'
import { CountryField, EmailField, MessageField, NameField, ProblemField } from './enquiry-fields.tsx'
import { EnquiryForm, type EnquiryOutcome } from './enquiry-form.tsx'

/** The short form of the contact page. Country is free text; the list only suggests. */
export function ContactForm(outcome: EnquiryOutcome) {
  return (
    <EnquiryForm form="contact" action="/contact" submit={enquiryForm.submit} {...outcome}>
      {(field) => (
        <>
          <div className="grid gap-5 sm:grid-cols-2">
            <NameField {...field('name')} />
            <EmailField {...field('email')} />
          </div>
          <CountryField {...field('country')} />
          <ProblemField {...field('problem')} />
          <MessageField {...field('message')} />
        </>
      )}
    </EnquiryForm>
  )
}
