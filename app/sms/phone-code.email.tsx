import { Code, FinePrint, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'

/** On a developer's own machine, in place of a message to a phone: nothing else is there to send it. */
export const phoneCodeLetter = defineLetter(
  'phone-code',
  ({ phone, code }: { phone: string; code: string }) => ({
    subject: `A message to +${phone}`,
    preview: 'Nothing is set up to send messages to phones, so it waits here.',
    body: (
      <>
        <Heading>A message to +{phone}</Heading>
        <Paragraph>Your code is:</Paragraph>
        <Code>{code}</Code>
        <FinePrint>Nothing is set up to send messages to phones (HOOK_SEND_SMS_URI), so this one waits among the emails.</FinePrint>
      </>
    ),
  }),
  { secret: true },
)
