import { enquiryForm, enquiryFields } from '#app/content/enquiry.ts'
import { newsletterWords } from '#app/content/blog.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Honeypot } from '#app/ui/honeypot.tsx'
import { Input } from '#app/ui/input.tsx'
import type { SubscriberSource } from './newsletter.ts'

type SubscribeFormProps = {
  source: SubscriberSource
  /** Of a refused attempt. */
  error?: string | undefined
  value?: string | undefined
}

/** A native form, so that the cached pages around it need no script. Errors and success are on the page of the newsletter. */
export function SubscribeForm({ source, error, value }: SubscribeFormProps) {
  return (
    <form method="post" action="/newsletter" noValidate className="grid gap-3">
      <input type="hidden" name="source" value={source} />
      <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
        <Field {...enquiryFields.email} name="email" id="newsletter-email" error={error}>
          <Input type="email" autoComplete="email" inputMode="email" spellCheck={false} most={254} defaultValue={value} />
        </Field>
        {/* Beside the field itself, not beside its error. */}
        <Button className={error && 'sm:self-start sm:mt-7.5'}>{newsletterWords.subscribe}</Button>
      </div>
      <Honeypot label={enquiryForm.trap} />
      <p className="text-fine text-muted">
        {newsletterWords.terms}{' '}
        <a href="/privacy-policy" className="link">
          {enquiryForm.privacy}
        </a>
      </p>
    </form>
  )
}

/** The form with its heading, below the list of posts and at the end of a post. */
export function SubscribePanel({ source }: { source: SubscriberSource }) {
  return (
    <section
      aria-labelledby="newsletter"
      className="grid gap-x-14 gap-y-5 rounded-card border border-line bg-surface p-6 sm:p-8 lg:grid-cols-2 lg:items-center print:hidden"
    >
      <div className="grid gap-2">
        <h2 id="newsletter" className="text-h3">
          {newsletterWords.title}
        </h2>
        <p className="text-muted">{newsletterWords.text}</p>
      </div>
      <SubscribeForm source={source} />
    </section>
  )
}
