import { Action, FinePrint, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'

/**
 * Sent to the owner of an address that another account wants. That account does not learn that the address is in use. Marked as secret,
 * so that it takes the same time as the email for a free address.
 */
export const addressInUseEmail = defineEmail(
  'address-in-use',
  () => ({
    subject: 'Your email address is already in use',
    preview: 'Someone tried to use it for another account.',
    body: (
      <>
        <EmailHeading>Your email address is already in use</EmailHeading>
        <Paragraph>
          Someone tried to change another account to this address. Your account already uses it, so nothing has changed. An address belongs
          to one account.
        </Paragraph>
        <Action href={`${env.SITE_URL}/login`}>Sign in to your account</Action>
        <FinePrint>If this wasn’t you, ignore this email. We don’t tell anyone that you have an account.</FinePrint>
      </>
    ),
  }),
  { secret: true },
)
