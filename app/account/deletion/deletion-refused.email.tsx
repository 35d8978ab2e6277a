import { EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'

/** To an owner who became the last owner during the waiting period. */
export const deletionRefusedEmail = defineEmail('deletion-refused', () => ({
  subject: 'Your account has not been deleted',
  preview: 'You are the only owner of this installation.',
  body: (
    <>
      <EmailHeading>Your account has not been deleted</EmailHeading>
      <Paragraph>
        You asked us to delete your account today. You have since become the only owner of this installation, and it needs an owner. Make
        someone else an owner, then ask again.
      </Paragraph>
    </>
  ),
}))
