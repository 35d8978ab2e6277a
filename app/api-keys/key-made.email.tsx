import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { inUtc } from '#app/account-letter/letter-time.ts'
import { env } from '#app/platform/env.server.ts'

type Made = { at: string; name: string; prefix: string; replaced: { prefix: string; until: string } | null }

/** After the fact, so that nobody gets a key to another's data without their knowing. The key itself is in no letter. */
export const keyMadeLetter = defineLetter('api-key-made', ({ at, name, prefix, replaced }: Made) => {
  const subject = replaced ? `Your API key ${name} has been replaced` : 'A new API key for your account'
  return {
    subject,
    preview: `${name} (${prefix}…)`,
    body: (
      <>
        <Heading>{subject}</Heading>
        <Paragraph>
          On {inUtc(at)} the key {name} ({prefix}…) was made for your account. It reads datasets through the Data API and opens nothing
          else.
        </Paragraph>
        {replaced && (
          <Paragraph>
            It takes the place of {replaced.prefix}…, which works until {inUtc(replaced.until)}.
          </Paragraph>
        )}
        <Paragraph>If this was you, all is well. If it was not, revoke the key and choose a new password.</Paragraph>
        <Action href={`${env.SITE_URL}/account/keys`}>See your keys</Action>
      </>
    ),
  }
})
