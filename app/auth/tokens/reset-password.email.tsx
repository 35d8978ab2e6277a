import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { mailLink } from './mail-link.server.ts'
import { lifeWords } from './token-life.server.ts'
import { defineSecretEmail, Secrets } from './secrets.tsx'

export const resetPasswordEmail = defineSecretEmail<{ target?: string }>('reset-password', ({ link, code, target }) => ({
  subject: 'Choose a new password',
  preview: `The link works once, within ${lifeWords.link}.`,
  body: (
    <>
      <EmailHeading>Choose a new password</EmailHeading>
      <Paragraph>You asked to reset your password. Your old password works until you choose a new one.</Paragraph>
      <Action href={mailLink('recovery', link, target)}>Choose a new password</Action>
      <Secrets code={code}>If this wasn’t you, ignore this email.</Secrets>
    </>
  ),
}))
