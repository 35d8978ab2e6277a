import { defineSecretEmail, Secrets } from '#app/auth/tokens/secrets.tsx'
import { mailLink } from '#app/auth/tokens/mail-link.server.ts'
import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'

type Data = { newEmail: string; target?: string }

/** Sent to the new address, to prove it. */
export const newAddressEmail = defineSecretEmail<Data>('email-change-new', ({ link, code, newEmail, target }) => ({
  subject: 'Confirm your new email address',
  preview: 'Your account keeps its old address until you confirm.',
  body: (
    <>
      <EmailHeading>Confirm your new email address</EmailHeading>
      <Paragraph>You asked to change your sign-in address to {newEmail}. Confirm that this address is yours.</Paragraph>
      <Action href={mailLink('email_change', link, target)}>Confirm new address</Action>
      <Secrets code={code} />
    </>
  ),
}))

/** Sent to the current address, so an intruder cannot take over the account by changing its address. */
export const oldAddressEmail = defineSecretEmail<Data>('email-change-current', ({ link, code, newEmail, target }) => ({
  subject: 'Approve your new email address',
  preview: 'Nothing changes until you approve.',
  body: (
    <>
      <EmailHeading>Approve your new email address</EmailHeading>
      <Paragraph>
        Someone signed in to your account asked to change its address to {newEmail}. Approve the change here and confirm it in the email to
        the new address, in any order.
      </Paragraph>
      <Action href={mailLink('email_change', link, target)}>Approve change</Action>
      <Secrets code={code} />
      <Paragraph>If this wasn’t you, don’t approve the change, and change your password now.</Paragraph>
    </>
  ),
}))
