import { EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'

/** The last one: there is nothing left to sign in to. */
export const accountDeletedEmail = defineEmail('account-deleted', ({ remainsElsewhere }: { remainsElsewhere?: boolean }) => ({
  subject: 'Your account has been deleted',
  preview: 'As you asked 14 days ago.',
  body: (
    <>
      <EmailHeading>Your account has been deleted</EmailHeading>
      <Paragraph>
        {remainsElsewhere
          ? 'Your profile and picture here are gone, and nobody who was signed in still is. Your address and password are kept by the service that signs people in for us, from which we cannot delete them by ourselves: reply to this email, and a person does it.'
          : 'Your profile and picture, your password and second factors, and everything that was signed in are gone. This address is free for a new account at any time.'}
      </Paragraph>
      <Paragraph>
        What you wrote to us as a customer stays with our business correspondence, and a log of what was done with the account stays without
        your name and address. If you want your enquiries erased as well, reply to this email.
      </Paragraph>
    </>
  ),
}))
