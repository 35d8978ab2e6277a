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
          ? 'We deleted your profile and picture here and signed out all your devices. Our sign-in service still has your address and password, and we cannot delete them there automatically. Reply to this email and we’ll do it.'
          : 'We deleted your profile, picture, password and second factors, and signed out all your devices. You can use this address for a new account at any time.'}
      </Paragraph>
      <Paragraph>
        We keep your enquiries as business correspondence, and a log of account activity without your name and address. To have your
        enquiries erased too, reply to this email.
      </Paragraph>
    </>
  ),
}))
