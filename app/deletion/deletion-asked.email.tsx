import { inUtc } from '#app/account-letter/letter-time.ts'
import { Action, FinePrint, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { env } from '#app/platform/env.server.ts'

/** At once: so that nobody's account goes without their knowing, and can be kept by a press. */
export const deletionAskedLetter = defineLetter('deletion-asked', ({ at }: { at: string }) => ({
  subject: 'Your account will be deleted',
  preview: `On ${inUtc(at)}, unless you keep it.`,
  body: (
    <>
      <Heading>Your account will be deleted</Heading>
      <Paragraph>
        You asked us to delete your account. That will be done on {inUtc(at)}. Until then everything works as before, and you can change
        your mind.
      </Paragraph>
      <Action href={`${env.SITE_URL}/account/data`}>Keep my account</Action>
      <Paragraph>
        What you wrote to us as a customer is not part of the account: we keep it as our business correspondence. If you want that erased as
        well, reply to this email.
      </Paragraph>
      <FinePrint>If this was not you, keep your account, then choose a new password.</FinePrint>
    </>
  ),
}))
