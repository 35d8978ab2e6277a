import { Action, FinePrint, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { inUtc } from '#app/auth/tokens/email-time.ts'
import { env } from '#app/platform/env.server.ts'
import { numberText } from '#app/platform/text/english-number.ts'

type Use = { name: string; prefix: string; quota: number; share: number; resetsAt: string }

/** Sent at 80% and 100% of a key's monthly quota, so a script does not stop without a warning. */
export const quotaEmail = defineEmail('api-quota', ({ name, prefix, quota, share, resetsAt }: Use) => {
  const isOver = share >= 100
  const requests = numberText(quota)
  const subject = isOver
    ? `Your API key ${name} has reached its monthly quota`
    : `Your API key ${name} has used ${share}% of its monthly quota`
  return {
    subject,
    preview: isOver ? `All ${requests} requests are used.` : `${share}% of its ${requests} requests are used.`,
    body: (
      <>
        <EmailHeading>{subject}</EmailHeading>
        <Paragraph>
          {isOver
            ? `The key ${name} (${prefix}…) has used all of its ${requests} requests for this month. Until next month, its requests return status 429.`
            : `The key ${name} (${prefix}…) has used ${share}% of its ${requests} requests for this month.`}
        </Paragraph>
        <Paragraph>Your quota resets on {inUtc(resetsAt)}. If you need more, reply to this email.</Paragraph>
        <Action href={`${env.SITE_URL}/account/keys`}>View usage</Action>
        <FinePrint>A page of up to 10,000 rows is one request, so larger pages use less of the quota.</FinePrint>
      </>
    ),
  }
})
