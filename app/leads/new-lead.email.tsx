import { Action, Facts, FinePrint, EmailHeading, Paragraph, Quote, TextLink } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'
import { budgets, timeframes } from '#app/content/contact-options.ts'
import { promises } from './promises.ts'

type NewLead = Pick<
  Row<'contacts'>,
  'id' | 'reference' | 'name' | 'email' | 'company' | 'country' | 'problem' | 'message' | 'budget' | 'timeframe'
>

/** To the business, about a new lead. A reply to this email goes to the visitor. */
export const newLeadEmail = defineEmail<NewLead>('new-lead', (lead) => ({
  subject: `New enquiry ${lead.reference} from ${lead.name}`,
  preview: lead.problem,
  replyTo: lead.email,
  body: (
    <>
      <EmailHeading>New enquiry</EmailHeading>
      <Paragraph>
        {lead.name} has written to you and was promised a word from a person within {promises.readHours} hours.
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
          ['Company', lead.company],
          ['Country', lead.country],
          ['Problem', lead.problem],
          ['Budget', budgets.find(({ value }) => value === lead.budget)?.label],
          ['Timeframe', timeframes.find(({ value }) => value === lead.timeframe)?.label],
        ]}
      />
      <Quote>{lead.message}</Quote>
      <Action href={`${env.SITE_URL}/dashboard?contact=${lead.id}`}>Open it in the dashboard</Action>
      <FinePrint>A reply to this email goes to {lead.email}.</FinePrint>
    </>
  ),
}))
