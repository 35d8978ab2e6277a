import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { mailLink } from './mail-link.server.ts'
import { defineSecretEmail, Secrets } from './secrets.tsx'

/** Sent when the owner creates an account for someone. */
export const inviteEmail = defineSecretEmail<{ target?: string }>('invite', ({ link, code, target }) => ({
  subject: 'You are invited',
  preview: 'Choose a password to finish your account.',
  body: (
    <>
      <EmailHeading>You are invited</EmailHeading>
      <Paragraph>An account was created for you with this address. Choose a password to sign in.</Paragraph>
      <Action href={mailLink('invite', link, target)}>Choose a password</Action>
      <Secrets code={code}>If you didn’t expect this, ignore this email.</Secrets>
    </>
  ),
}))
