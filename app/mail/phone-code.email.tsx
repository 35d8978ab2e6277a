import { Code, FinePrint, EmailHeading, Paragraph } from './layout.tsx'
import { env } from '#app/platform/env.server.ts'
import { defineEmail } from './email.server.ts'

/** Replaces an SMS on a development machine without an SMS provider. */
export const phoneCodeEmail = defineEmail(
  'phone-code',
  ({ phone, code }: { phone: string; code: string }) => ({
    subject: `A message to +${phone}`,
    preview: 'No SMS service is set up, so this message is shown here.',
    body: (
      <>
        <EmailHeading>A message to +{phone}</EmailHeading>
        <Paragraph>Your code is:</Paragraph>
        <Code>{code}</Code>
        <FinePrint>No SMS service is set up (HOOK_SEND_SMS_URI), so this message is shown among the emails.</FinePrint>
      </>
    ),
  }),
  { secret: true, expiresAt: () => new Date(Date.now() + env.SMS_OTP_EXP * 1000) },
)
