import { Action, Heading, Paragraph } from '#app/mail/layout.tsx'
import { defineLetter } from '#app/mail/letter.server.ts'
import { env } from '#app/platform/env.server.ts'
import { type AreaName, areas } from '#app/site/content/areas.ts'

type Decided = { area: AreaName }

/** To whoever asked for a part of the workspace and has it now. */
export const accessGrantedLetter = defineLetter('access-granted', ({ area }: Decided) => ({
  subject: `You have access to ${areas[area].title}`,
  preview: 'Your account is a staff account now.',
  body: (
    <>
      <Heading>You have access to {areas[area].title}</Heading>
      <Paragraph>You asked for it, and the owner has made yours a staff account. It counts at once; you need not sign in again.</Paragraph>
      <Action href={`${env.SITE_URL}/dashboard`}>Open the dashboard</Action>
      <Paragraph>
        Staff see other people’s data. So a new password of yours needs 12 characters, and a second step when signing in is a good idea.
      </Paragraph>
    </>
  ),
}))

/** To whoever asked and does not get it. */
export const accessDeclinedLetter = defineLetter('access-declined', ({ area }: Decided) => ({
  subject: `About your request for ${areas[area].title}`,
  preview: 'Your account stays as it is.',
  body: (
    <>
      <Heading>About your request for {areas[area].title}</Heading>
      <Paragraph>The owner has decided not to give your account access to it. Everything else stays as it is.</Paragraph>
      <Paragraph>If you think that this is a mistake, reply to this email.</Paragraph>
    </>
  ),
}))
