import { mailLink } from '#app/auth/tokens/mail-link.server.ts'
import { defineSecretEmail } from '#app/auth/tokens/secrets.tsx'
import { lifeWords } from '#app/auth/tokens/token-life.server.ts'
import { Action, Code, FinePrint, EmailHeading, Paragraph } from '#app/mail/layout.tsx'

type Data = { type: 'magiclink' | 'signup'; target?: string }

/** Sent for a sign-in without a password. The first one also confirms the address (`signup`). */
export const signInEmail = defineSecretEmail<Data>('sign-in', ({ link, code, type, target }) => ({
  subject: 'Your sign-in code and link',
  preview: code
    ? `The code works for ${lifeWords.code}, the link for ${lifeWords.link}.`
    : `The link works once, within ${lifeWords.link}.`,
  body: (
    <>
      <EmailHeading>Sign in</EmailHeading>
      {code && (
        <>
          <Paragraph>Enter this code on the page that asks for it:</Paragraph>
          <Code>{code}</Code>
        </>
      )}
      <Paragraph>{code ? 'Or open' : 'Open'} this link on the device where you want to sign in:</Paragraph>
      <Action href={mailLink(type, link, target, 'magiclink')}>Sign in</Action>
      <FinePrint>
        {code
          ? `The code works for ${lifeWords.code}, the link for ${lifeWords.link}, each of them once. Don’t share the code; we never ask for it.`
          : `The link works once, within ${lifeWords.link}.`}{' '}
        If this wasn’t you, ignore this email.
      </FinePrint>
    </>
  ),
}))
