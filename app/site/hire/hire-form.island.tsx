import { hireFormWords } from '#app/content/quote-forms.ts'
import { enquiryLimits } from '#app/leads/lead/enquiry-limits.ts'
import { CountryField, EmailField, LongField, NameField, ScopeFields } from '#app/leads/form/enquiry-fields.tsx'
import { EnquiryForm, type EnquiryOutcome } from '#app/leads/form/enquiry-form.tsx'

/** The quote form: the problem, the wanted result, budget and timeframe. */
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
          <LongField {...field('problem')} {...hireFormWords.challenges} rows={3} most={enquiryLimits.challenges} />
          <LongField {...field('message')} {...hireFormWords.details} rows={6} most={enquiryLimits.message} />
          <ScopeFields field={field} />
        </>
      )}
    </EnquiryForm>
  )
}
