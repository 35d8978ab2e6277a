import { hireFormWords } from '#app/site/content/quote-forms.ts'
import { limits } from '#app/leads/contact.ts'
import { CountryField, EmailField, LongField, NameField, ScopeFields } from '#app/enquiry/enquiry-fields.tsx'
import { EnquiryForm, type EnquiryOutcome } from '#app/enquiry/enquiry-form.tsx'

/** The quote form: what hurts, what it should become, and how much may be spent by when. */
export function HireForm(outcome: EnquiryOutcome) {
  return (
    <EnquiryForm form="hire" action="/hire-web-scraping-developer" submit={hireFormWords.submit} {...outcome}>
      {(field) => (
        <>
          <div className="grid gap-5 sm:grid-cols-2">
            <NameField {...field('name')} />
            <EmailField {...field('email')} />
          </div>
          <CountryField {...field('country')} />
          <LongField {...field('problem')} {...hireFormWords.challenges} rows={3} most={limits.challenges} />
          <LongField {...field('message')} {...hireFormWords.details} rows={6} most={limits.message} />
          <ScopeFields field={field} />
        </>
      )}
    </EnquiryForm>
  )
}
