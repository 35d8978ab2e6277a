import { Action, FinePrint, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { inUtc } from '#app/auth/tokens/email-time.ts'
import { env } from '#app/platform/env.server.ts'

type Use = { name: string; prefix: string; quota: number; share: number; resetsAt: string }

/** Sent at 80% and 100% of a key's monthly quota, so a script does not stop without a warning. */
export const quotaEmail = defineEmail('api-quota', ({ name, prefix, quota, share, resetsAt }: Use) => {
  const isOver = share >= 100
  const requests = quota.toLocaleString('en-US')
  const subject = isOver ? `Your API key ${name} has used up its month` : `Your API key ${name} has used ${share} % of its month`
  return {
    subject,
    preview: isOver ? `Its ${requests} requests are used.` : `${share} % of its ${requests} requests are used.`,
    body: (
      <>
        <EmailHeading>{subject}</EmailHeading>
        <Paragraph>
          {isOver
            ? `All ${requests} requests that the key ${name} (${prefix}…) has in a month are used. Until the next month begins it is answered 429.`
            : `The key ${name} (${prefix}…) has used ${share} % of the ${requests} requests that it has in a month.`}
        </Paragraph>
        <Paragraph>Your quota resets on {inUtc(resetsAt)}. If you need more, reply to this email.</Paragraph>
        <Action href={`${env.SITE_URL}/account/keys`}>See what it was used for</Action>
        <FinePrint>A page of up to 10,000 rows is one request: asking for larger pages uses less of the quota.</FinePrint>
      </>
    ),
  }
})
