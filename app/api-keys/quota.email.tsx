import { Action, FinePrint, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { inUtc } from '#app/account-letter/letter-time.ts'
import { env } from '#app/platform/env.server.ts'

type Use = { name: string; prefix: string; quota: number; share: number; resetsAt: string }

/** When most of a key's requests of the month are used, and when all are: so that a script does not stop without anyone's knowing why. */
export const quotaLetter = defineLetter('api-quota', ({ name, prefix, quota, share, resetsAt }: Use) => {
  const isOver = share >= 100
  const requests = quota.toLocaleString('en-US')
  const subject = isOver ? `Your API key ${name} has used up its month` : `Your API key ${name} has used ${share} % of its month`
  return {
    subject,
    preview: isOver ? `Its ${requests} requests are used.` : `${share} % of its ${requests} requests are used.`,
    body: (
      <>
        <Heading>{subject}</Heading>
        <Paragraph>
          {isOver
            ? `All ${requests} requests that the key ${name} (${prefix}…) has in a month are used. Until the next month begins it is answered 429.`
            : `The key ${name} (${prefix}…) has used ${share} % of the ${requests} requests that it has in a month.`}
        </Paragraph>
        <Paragraph>Counting begins anew on {inUtc(resetsAt)}. If you need more, reply to this email.</Paragraph>
        <Action href={`${env.SITE_URL}/account/keys`}>See what it was used for</Action>
        <FinePrint>A page of up to 10,000 rows is one request: asking for larger pages uses less of the quota.</FinePrint>
      </>
    ),
  }
})
