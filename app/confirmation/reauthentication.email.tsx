import { lifeWords } from '#app/one-time-token/token-life.server.ts'
import { Code, FinePrint, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'

/** To someone who is signed in and about to change what matters: a code and nothing to press. */
export const reauthenticationLetter = defineLetter(
  'reauthentication',
  ({ code }: { code: string }) => ({
    subject: 'Your code to confirm that it is you',
    preview: `The code works once and for ${lifeWords.code}.`,
    body: (
      <>
        <Heading>Confirm that it is you</Heading>
        <Paragraph>You are about to change how you sign in. Type this code where you were asked for it:</Paragraph>
        <Code>{code}</Code>
        <FinePrint>
          It works once and for {lifeWords.code}. Tell it to nobody; we never ask for it. If this was not you, someone else is signed in to
          your account: choose a new password, which signs them out.
        </FinePrint>
      </>
    ),
  }),
  { secret: true },
)
