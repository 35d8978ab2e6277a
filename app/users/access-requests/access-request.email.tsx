import { Facts, FinePrint, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { type AreaName, areas } from '#app/content/areas.ts'

/** The name is user metadata: never trusted. */
type Asked = { area: AreaName; email: string; firstName: string | null }

/** To the owner, about a request for a staff area. Replies to this email go to the requester. */
export const accessRequestEmail = defineEmail<Asked>('access-request', ({ area, email, firstName }) => ({
  subject: `${email} requests access to ${areas[area].title}`,
  preview: 'Nothing has changed for this account.',
  replyTo: email,
  body: (
    <>
      <EmailHeading>New access request</EmailHeading>
      <Paragraph>A customer requested access to a staff area of your workspace.</Paragraph>
      <Facts
        rows={[
          ['Account', email],
          ['Name given', firstName?.slice(0, 80)],
          ['Asks for', areas[area].title],
        ]}
      />
      <Paragraph>
        Nothing changes unless you make this a staff account. Staff see every enquiry, so approve only people who work for you.
      </Paragraph>
      <FinePrint>Replies to this email go to {email}. We won’t email you about repeated requests within 7 days.</FinePrint>
    </>
  ),
}))
