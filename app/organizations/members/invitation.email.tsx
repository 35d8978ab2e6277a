import { inUtc } from '#app/auth/tokens/email-time.ts'
import { Action, EmailHeading, FinePrint, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { roleNames, type MemberRole } from '#app/organizations/organization/organization.ts'

type Invited = { organization: string; role: MemberRole; inviter: string | null; link: string; until: string }

/** To a person who is invited to an organization. Its name is what its members typed. */
export const organizationInvitationEmail = defineEmail<Invited>(
  'organization-invitation',
  ({ organization, role, inviter, link, until }) => ({
    subject: `Join ${organization}`,
    preview: `Your role: ${roleNames[role].label}.`,
    body: (
      <>
        <EmailHeading>You are invited to {organization}</EmailHeading>
        <Paragraph>
          {inviter ? `${inviter} invites you` : 'You are invited'} to the datasets of {organization}. Your role: {roleNames[role].label}.{' '}
          {roleNames[role].means}.
        </Paragraph>
        <Action href={link}>See the invitation</Action>
        <FinePrint>
          It works for this address alone, until {inUtc(until)}. Nothing happens unless you accept. If you don’t know {organization}, ignore
          this email.
        </FinePrint>
      </>
    ),
  }),
)
