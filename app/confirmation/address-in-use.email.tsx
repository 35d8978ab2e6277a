import { Action, FinePrint, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { env } from '#app/platform/env.server.ts'

/**
 * To the holder of an address that another account wants to change to. That account is not told that the address is in use. Secret, although
 * it has no secret: sealing it takes the same time as the email that confirms a free address.
 */
export const addressInUseLetter = defineLetter(
  'address-in-use',
  () => ({
    subject: 'Your email address is already in use',
    preview: 'Someone tried to use it for another account.',
    body: (
      <>
        <Heading>Your email address is already in use</Heading>
        <Paragraph>
          Someone tried to change another account to this address. Your account already uses it, so nothing has changed. An address belongs
          to one account.
        </Paragraph>
        <Action href={`${env.SITE_URL}/login`}>Sign in to your account</Action>
        <FinePrint>If this was not you, you can ignore this email. We don’t tell anyone that you have an account.</FinePrint>
      </>
    ),
  }),
  { secret: true },
)
