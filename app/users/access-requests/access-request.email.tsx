import { Facts, FinePrint, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { type AreaName, areas } from '#app/content/areas.ts'

/** The name is user metadata: never trusted. */
type Asked = { area: AreaName; email: string; firstName: string | null }

/** To the owner, about a request for a staff area. A reply to this email goes to the requester. */
export const accessRequestEmail = defineEmail<Asked>('access-request', ({ area, email, firstName }) => ({
  subject: `${email} asks for access to ${areas[area].title}`,
  preview: 'Nothing has changed for this account.',
  replyTo: email,
  body: (
    <>
      <EmailHeading>Someone asks for access</EmailHeading>
      <Paragraph>A customer has asked to work in a part of your workspace that only staff have.</Paragraph>
      <Facts
        rows={[
          ['Account', email],
          ['Name given', firstName?.slice(0, 80)],
          ['Asks for', areas[area].title],
        ]}
      />
      <Paragraph>
        Nothing has changed for this account, and nothing will unless you make it a staff account. Staff see every enquiry, so give this
        only to people who work for you.
      </Paragraph>
      <FinePrint>A reply to this email goes to {email}. Asked again within 7 days, you get no second email.</FinePrint>
    </>
  ),
}))
