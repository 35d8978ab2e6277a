import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'
import { type AreaName, areas } from '#app/content/areas.ts'

type Decided = { area: AreaName }

/** To the requester, after access is granted. */
export const accessGrantedEmail = defineEmail('access-granted', ({ area }: Decided) => ({
  subject: `You have access to ${areas[area].title}`,
  preview: 'Your account is a staff account now.',
  body: (
    <>
      <EmailHeading>You have access to {areas[area].title}</EmailHeading>
      <Paragraph>You asked for it, and the owner has made yours a staff account. It counts at once; you need not sign in again.</Paragraph>
      <Action href={`${env.SITE_URL}/dashboard`}>Open the dashboard</Action>
      <Paragraph>
        Staff see other people’s data. So a new password of yours needs 12 characters, and a second step when signing in is a good idea.
      </Paragraph>
    </>
  ),
}))

/** To the requester, after access is declined. */
export const accessDeclinedEmail = defineEmail('access-declined', ({ area }: Decided) => ({
  subject: `About your request for ${areas[area].title}`,
  preview: 'Your account stays as it is.',
  body: (
    <>
      <EmailHeading>About your request for {areas[area].title}</EmailHeading>
      <Paragraph>The owner has decided not to give your account access to it. Everything else stays as it is.</Paragraph>
      <Paragraph>If you think that this is a mistake, reply to this email.</Paragraph>
    </>
  ),
}))
