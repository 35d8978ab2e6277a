import { Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'

/** To an owner who has become the last one while the time ran. */
export const deletionRefusedLetter = defineLetter('deletion-refused', () => ({
  subject: 'Your account has not been deleted',
  preview: 'You are the only owner of this installation.',
  body: (
    <>
      <Heading>Your account has not been deleted</Heading>
      <Paragraph>
        You asked us to delete your account, and today is the day. But you have become the only owner of this installation, and without one
        nobody could decide about it. Make someone else an owner, then ask again.
      </Paragraph>
    </>
  ),
}))
