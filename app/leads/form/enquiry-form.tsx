import { use, useRef } from 'react'
import { HydrationContext } from '#app/platform/browser/hydration.ts'
import { Button } from '#app/ui/button.tsx'
import { Honeypot } from '#app/ui/honeypot.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Toaster } from '#app/ui/toaster.tsx'
import type { EnquiryFormKind as Form } from '#app/leads/lead/contact.ts'
import { enquiryForm } from '#app/content/enquiry.ts'
import { useEnquiry } from './use-enquiry.tsx'

/** The data of the form: initial values, or the refused ones with their errors. */
export type EnquiryOutcome = { refused?: EnquiryRefusal | undefined; start?: Record<string, string> | undefined }
/** `trouble` is an error of no particular field. */
export type EnquiryRefusal = { errors: Record<string, string>; values: Record<string, string>; trouble?: string }

export type FieldOf = (name: string) => { name: string; error: string | undefined; start: string | undefined }

type EnquiryFormProps = EnquiryOutcome & {
  form: Form
  /** The target without JavaScript: a page whose action takes enquiries. */
  action: string
  submit: string
  /** The fields. They are uncontrolled and keep the typed text. */
  children: (field: FieldOf) => React.ReactNode
}

const ERRORS = 'enquiry-errors'

/** An enquiry form: native until hydration; from then on it stays on its page. */
export function EnquiryForm({ form, action, submit: label, start, refused, children }: EnquiryFormProps) {
  const element = useRef<HTMLFormElement>(null)
  // A live page has its own toaster.
  const isLive = use(HydrationContext) === 'page'
  const { state, submit, edited } = useEnquiry(form, { errors: refused?.errors ?? {}, trouble: refused?.trouble }, element)
  const hasErrors = Object.keys(state.errors).length > 0
  const field: FieldOf = (name) => ({
    name,
    error: state.errors[name],
    start: state.round === 0 ? (refused?.values[name] ?? start?.[name]) : undefined,
  })
  return (
    <form
      ref={element}
      id="enquiry"
      method="post"
      action={`${action}#enquiry`}
      noValidate
      // A refused document opens at this form. The focus moves there with it, and not to the start of the page.
      tabIndex={refused ? -1 : undefined}
      aria-describedby={refused && hasErrors ? ERRORS : undefined}
      onSubmit={(event) => void submit(event)}
      onInput={edited}
      // Its heading is above it, and above that the sticky header.
      className="grid scroll-mt-28 gap-5 focus:outline-none"
    >
      {state.sent}
      <ErrorSummary id={ERRORS} errors={state.errors} />
      <div key={state.round} className="grid gap-5">
        {children(field)}
        <Honeypot label={enquiryForm.trap} />
      </div>
      <div className="grid gap-3">
        <Button size="large" busy={state.phase === 'sending'} className="w-full sm:w-auto sm:justify-self-start">
          {state.phase === 'sending' ? enquiryForm.sending : label}
        </Button>
        <p className="text-fine text-muted">
          {enquiryForm.use}{' '}
          <a href="/privacy-policy" className="link">
            {enquiryForm.privacy}
          </a>
        </p>
        <p role="status" className="text-small font-medium text-alarm empty:hidden">
          {state.trouble}
        </p>
      </div>
      {!isLive && <Toaster />}
    </form>
  )
}
