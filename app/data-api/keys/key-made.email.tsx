import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { inUtc } from '#app/auth/tokens/email-time.ts'
import { env } from '#app/platform/env.server.ts'

type Made = { at: string; name: string; prefix: string; replaced: { prefix: string; until: string } | null }

/** A security notice: new access to an account must not go unseen. No email contains the key itself. */
export const keyMadeEmail = defineEmail('api-key-made', ({ at, name, prefix, replaced }: Made) => {
  const subject = replaced ? `Your API key ${name} has been replaced` : 'A new API key for your account'
  return {
    subject,
    preview: `${name} (${prefix}…)`,
    body: (
      <>
        <EmailHeading>{subject}</EmailHeading>
        <Paragraph>
          The key {name} ({prefix}…) was created for your account on {inUtc(at)}. It can only read datasets through the Data API.
        </Paragraph>
        {replaced && (
          <Paragraph>
            It replaces {replaced.prefix}…, which works until {inUtc(replaced.until)}.
          </Paragraph>
        )}
        <Paragraph>If this was you, no action is needed. If it wasn’t, revoke the key and change your password.</Paragraph>
        <Action href={`${env.SITE_URL}/account/keys`}>View your keys</Action>
      </>
    ),
  }
})
