import { z } from 'zod/mini'
import { memberRoles, ORGANIZATIONS } from '#app/organizations/organization/organization.ts'

/** The organizations that a person may ask to join. */
export const OFFERS = '/api/organization-offers'
export const joinRequestsOf = (organizationId: string) => `${ORGANIZATIONS}/${organizationId}/join-requests`

/** In days, after an admin has declined. */
export const ASK_AGAIN_DAYS = 30

/** An organization with the domain of the person's address. */
export const offer = z.object({
  id: z.string(),
  name: z.string(),
  /** An admin has not answered yet. */
  isAsked: z.boolean(),
  /** The person was declined, and may ask again from then on. */
  mayAskFrom: z.nullable(z.string()),
})

export type Offer = z.infer<typeof offer>

/** An open request as admins see it. */
export const joinRequest = z.object({ id: z.string(), name: z.nullable(z.string()), email: z.string(), createdAt: z.string() })

export type JoinRequest = z.infer<typeof joinRequest>

export const joinAnswer = z.object({ role: z.enum(memberRoles, 'The role is reader, member, buyer or admin') })
