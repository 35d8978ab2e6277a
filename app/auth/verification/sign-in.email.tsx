import { mailLink } from '#app/auth/tokens/mail-link.server.ts'
import { lifeWords } from '#app/auth/tokens/token-life.server.ts'
import { Action, Code, FinePrint, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'

type Data = { link: string; code: string; type: 'magiclink' | 'signup'; target?: string }

/** Sent for a sign-in without a password. The first one also confirms the address (`signup`). */
export const signInEmail = defineEmail(
  'sign-in',
  ({ link, code, type, target }: Data) => ({
    subject: 'Your sign-in code and link',
    preview: `The code works for ${lifeWords.code}, the link for ${lifeWords.link}.`,
    body: (
      <>
        <EmailHeading>Sign in</EmailHeading>
        <Paragraph>Enter this code on the page that asks for it:</Paragraph>
        <Code>{code}</Code>
        <Paragraph>Or open this link on the device where you want to sign in:</Paragraph>
        <Action href={mailLink(type, link, target, 'magiclink')}>Sign in</Action>
        <FinePrint>
          The code works for {lifeWords.code}, the link for {lifeWords.link}, each of them once. Don’t share the code; we never ask for it.
          If this wasn’t you, ignore this email.
        </FinePrint>
      </>
    ),
  }),
  { secret: true },
)
