import { mailLink } from '#app/one-time-token/mail-link.server.ts'
import { lifeWords } from '#app/one-time-token/token-life.server.ts'
import { Action, Code, FinePrint, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'

type Data = { link: string; code: string; type: 'magiclink' | 'signup'; target?: string }

/** To whoever wants to sign in without a password. Whoever does so for the first time has an account from then on (`signup`). */
export const signInLetter = defineLetter(
  'sign-in',
  ({ link, code, type, target }: Data) => ({
    subject: 'Your code and your link to sign in',
    preview: `The code works for ${lifeWords.code}, the link in this email for ${lifeWords.link}.`,
    body: (
      <>
        <Heading>Sign in</Heading>
        <Paragraph>Type this code where you were asked for it:</Paragraph>
        <Code>{code}</Code>
        <Paragraph>Or sign in by this link, on the device on which you open it:</Paragraph>
        <Action href={mailLink(type, link, target, 'magiclink')}>Sign in</Action>
        <FinePrint>
          Either works once: the code for {lifeWords.code}, the link for {lifeWords.link}. Tell the code to nobody; we never ask for it. If
          this was not you, you need not do anything.
        </FinePrint>
      </>
    ),
  }),
  { secret: true },
)
