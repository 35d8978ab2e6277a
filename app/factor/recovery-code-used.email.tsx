import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { inUtc } from '#app/account-letter/letter-time.ts'
import { env } from '#app/platform/env.server.ts'

/** Someone has come in without the second factor: its holder ought to know. */
export const recoveryCodeUsedLetter = defineLetter('recovery-code-used', ({ at, left }: { at: string; left: number }) => ({
  subject: 'A recovery code was used',
  preview: `${left} of your codes still ${left === 1 ? 'works' : 'work'}.`,
  body: (
    <>
      <Heading>A recovery code was used</Heading>
      <Paragraph>
        On {inUtc(at)} someone signed in to your account with the password and a recovery code. {left} of your codes still{' '}
        {left === 1 ? 'works' : 'work'}; you can make new ones in your account.
      </Paragraph>
      <Paragraph>If this was you, all is well. If it was not, choose a new password now: this address is still yours.</Paragraph>
      <Action href={`${env.SITE_URL}/login/forgot-password`}>It was not me</Action>
    </>
  ),
}))
