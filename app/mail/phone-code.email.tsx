import { Code, FinePrint, EmailHeading, Paragraph } from './layout.tsx'
import { defineEmail } from './email.server.ts'

/** Replaces an SMS on a development machine without an SMS provider. */
export const phoneCodeEmail = defineEmail(
  'phone-code',
  ({ phone, code }: { phone: string; code: string }) => ({
    subject: `A message to +${phone}`,
    preview: 'Nothing is set up to send messages to phones, so it waits here.',
    body: (
      <>
        <EmailHeading>A message to +{phone}</EmailHeading>
        <Paragraph>Your code is:</Paragraph>
        <Code>{code}</Code>
        <FinePrint>Nothing is set up to send messages to phones (HOOK_SEND_SMS_URI), so this one waits among the emails.</FinePrint>
      </>
    ),
  }),
  { secret: true },
)
