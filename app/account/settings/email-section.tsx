import { changeEmail } from '#app/account/session/own-auth.ts'
import { orThrow } from '#app/account/session/session-over.ts'
import { Form } from '#app/ui/admin/form.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { ACCOUNT, type OwnAccount } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { z } from 'zod/mini'
import { newEmailAddress } from '#app/auth/protocol/email-address.ts'

const emailForm = z.object({ email: newEmailAddress('Please enter a valid email address') })

/** The service's errors about an email address. */
const aboutAddress = new Set(['email_exists', 'validation_failed', 'email_address_invalid'])

/** The address for emails and for signing in. */
export function EmailSection({ account: { email, newEmail, newEmailSentAt } }: { account: OwnAccount }) {
  const form = useForm({
    schema: emailForm,
    send: async (value) => orThrow(changeEmail(value.email), (code) => (code && aboutAddress.has(code) ? 'email' : undefined)),
    done: () => ({ title: 'Almost done', description: 'Follow the links in the emails we sent you.' }),
    failed: 'Address not changed',
    touches: [ACCOUNT],
  })
  return (
    <AccountSection
      id="email"
      title="Email address"
      intro="You sign in with it and get our emails there. You’ll need to confirm the change from both addresses."
    >
      <dl className="grid gap-x-6 gap-y-2 text-small sm:grid-cols-[auto_1fr] [&_dt]:text-muted">
        <dt>Current</dt>
        <dd className="min-w-0 font-mono break-words">{email || '-'}</dd>
        {newEmail && (
          <>
            <dt>Pending</dt>
            <dd className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              <span className="min-w-0 font-mono break-words">{newEmail}</span>
              <Badge look="grain">Not confirmed yet</Badge>
              {newEmailSentAt && <span className="text-muted">Emails sent {formatMoment(newEmailSentAt)}</span>}
            </dd>
          </>
        )}
      </dl>
      <Form form={form} resets className="grid gap-5">
        <Field label="New email" name="email">
          <Input type="email" autoComplete="email" inputMode="email" />
        </Field>
        <SubmitButton needsScript look="quiet" className="justify-self-start" pending="Sending...">
          Change address
        </SubmitButton>
      </Form>
    </AccountSection>
  )
}
