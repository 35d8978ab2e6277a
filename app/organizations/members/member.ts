import { z } from 'zod/mini'
import { newEmailAddress } from '#app/auth/protocol/email-address.ts'
import { memberRoles, ORGANIZATIONS } from '#app/organizations/organization/organization.ts'

export const INVITATIONS = '/api/organization-invitations'
export const membersOf = (organizationId: string) => `${ORGANIZATIONS}/${organizationId}/members`
export const invitationsOf = (organizationId: string) => `${ORGANIZATIONS}/${organizationId}/invitations`

/** In days. */
export const INVITATION_DAYS = 7

const role = z.enum(memberRoles, 'The role is reader, member, buyer or admin')

export const memberChange = z.object({ role })

export const member = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  role: z.enum(memberRoles),
  since: z.string(),
  /** Requests to the Data API this month (UTC) by this member's keys. */
  used: z.number(),
  isSelf: z.boolean(),
})

export type OrganizationMember = z.infer<typeof member>

export const invitationBody = z.object({ email: newEmailAddress('Please enter a valid email address'), role })

/** An open invitation as admins see it. */
export const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(memberRoles),
  expiresAt: z.string(),
  isExpired: z.boolean(),
  createdAt: z.string(),
})

export type OrganizationInvitation = z.infer<typeof invitation>

/** An invitation as the invited person sees it: open, or joined with. */
export const ownInvitation = z.object({
  id: z.string(),
  organization: z.string(),
  role: z.enum(memberRoles),
  invitedBy: z.nullable(z.string()),
  expiresAt: z.string(),
  isJoined: z.boolean(),
})

export type OwnInvitation = z.infer<typeof ownInvitation>

/** `token` is part of the link in the email. */
export const acceptBody = z.object({ token: z.optional(z.string('The link is incomplete').check(z.maxLength(200, 'The link is invalid'))) })

export const accepted = z.object({ organizationId: z.string() })
