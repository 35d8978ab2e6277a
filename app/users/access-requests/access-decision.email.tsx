import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'
import { type AreaName, areas } from '#app/content/areas.ts'

type Decided = { area: AreaName }

/** To the requester, after access is granted. */
export const accessGrantedEmail = defineEmail('access-granted', ({ area }: Decided) => ({
  subject: `You have access to ${areas[area].title}`,
  preview: 'Your account is now a staff account.',
  body: (
    <>
      <EmailHeading>You have access to {areas[area].title}</EmailHeading>
      <Paragraph>The owner approved your request. Your account is now a staff account; you don’t need to sign in again.</Paragraph>
      <Action href={`${env.SITE_URL}/dashboard`}>Open the dashboard</Action>
      <Paragraph>
        Staff can see customer data. A new staff password needs 12 characters. Turn on two-factor authentication as well.
      </Paragraph>
    </>
  ),
}))

/** To the requester, after access is declined. */
export const accessDeclinedEmail = defineEmail('access-declined', ({ area }: Decided) => ({
  subject: `About your request for ${areas[area].title}`,
  preview: 'Your account is unchanged.',
  body: (
    <>
      <EmailHeading>About your request for {areas[area].title}</EmailHeading>
      <Paragraph>The owner declined your request. Nothing about your account has changed.</Paragraph>
      <Paragraph>If you think this is a mistake, reply to this email.</Paragraph>
    </>
  ),
}))
