import { Action, Facts, FinePrint, EmailHeading, Paragraph, Quote, TextLink } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'
import { enquiryLines, type StoredEnquiry } from './lead-facts.ts'
import { promisedTime } from '#app/content/hours.ts'

type NewLead = StoredEnquiry & { id: string; reference: string }

/** To the business, about a new lead. A reply to this email goes to the visitor. */
export const newLeadEmail = defineEmail<NewLead>('new-lead', (lead) => ({
  subject: `New enquiry ${lead.reference} from ${lead.name}`,
  preview: lead.problem,
  replyTo: lead.email,
  body: (
    <>
      <EmailHeading>New enquiry</EmailHeading>
      <Paragraph>
        {lead.name} sent you an enquiry. Reply within {promisedTime('acknowledgement')}, as the site promises.
      </Paragraph>
      <Facts
        rows={[
          ['Reference', lead.reference],
          ['Name', lead.name],
          [
            'Email',
            <TextLink key="email" href={`mailto:${lead.email}`}>
              {lead.email}
            </TextLink>,
          ],
          ...enquiryLines(lead).map(({ label, value }): [string, string | undefined] => [label, value]),
        ]}
      />
      <Quote>{lead.message}</Quote>
      <Action href={`${env.SITE_URL}/dashboard?contact=${lead.id}`}>Open it in the dashboard</Action>
      <FinePrint>A reply to this email goes to {lead.email}.</FinePrint>
    </>
  ),
}))
