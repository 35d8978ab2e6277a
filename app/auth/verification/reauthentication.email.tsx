import { secondsFromNow } from '#app/auth/tokens/secrets.tsx'
import { lifeSeconds, lifeWords } from '#app/auth/tokens/token-life.server.ts'
import { Code, FinePrint, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'

/** Sent before a sensitive change. It has a code and no link. */
export const reauthenticationEmail = defineEmail(
  'reauthentication',
  ({ code }: { code: string }) => ({
    subject: 'Your confirmation code',
    preview: `The code works once, within ${lifeWords.code}.`,
    body: (
      <>
        <EmailHeading>Confirm it’s you</EmailHeading>
        <Paragraph>You are about to change how you sign in. Enter this code on the page that asks for it:</Paragraph>
        <Code>{code}</Code>
        <FinePrint>
          The code works once, within {lifeWords.code}. Don’t share it; we never ask for it. If this wasn’t you, someone else is signed in
          to your account. Change your password to sign them out.
        </FinePrint>
      </>
    ),
  }),
  { secret: true, expiresAt: () => secondsFromNow(lifeSeconds.code) },
)
