import { defineEmail } from '#app/mail/email.server.ts'
import { Action, EmailHeading, Facts, Paragraph } from '#app/mail/layout.tsx'
import { env } from '#app/platform/env.server.ts'
import { formatMoment } from '#app/ui/moment.ts'

type Disabled = { label: string; since: string; reason: string }

export const endpointDisabledEmail = defineEmail<Disabled>('webhook-disabled', ({ label, since, reason }) => ({
  subject: `Webhook endpoint disabled: ${label}`,
  preview: reason,
  body: (
    <>
      <EmailHeading>Webhook endpoint disabled</EmailHeading>
      <Paragraph>
        {label} has failed every time since {formatMoment(since)}, so we no longer send events to it. Events from now on are not stored for
        it.
      </Paragraph>
      <Facts
        rows={[
          ['Endpoint', label],
          ['Failing since', formatMoment(since)],
          ['Last failure', reason],
        ]}
      />
      <Paragraph>Correct the receiver, send a test event, then enable the endpoint and replay what failed.</Paragraph>
      <Action href={new URL('/admin/webhooks', env.SITE_URL).href}>Open webhooks</Action>
    </>
  ),
}))
