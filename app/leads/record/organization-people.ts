import { z } from 'zod/mini'

export const organizationPeopleOf = (organizationId: string) => `/api/admin/organizations/${organizationId}/people`

/** A person of the lead desk who belongs to an organization, with their leads, newest first. */
export const organizationPeople = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    /** Null for a person who was added without one. */
    email: z.nullable(z.string()),
    leads: z.array(z.object({ reference: z.string(), problem: z.string(), stage: z.string(), createdAt: z.string() })),
  }),
)

export const personOrganizationBody = z.object({
  /** Its id or reference; null for none. */
  organization: z.nullable(z.string('Choose an organization').check(z.trim(), z.maxLength(40, 'There is no such organization.'))),
})

export const personOrganization = z.object({
  organization: z.nullable(z.object({ id: z.string(), reference: z.nullable(z.string()), name: z.string() })),
  /** Other people of the organization and their leads. */
  others: organizationPeople,
})

export type PersonOrganization = z.infer<typeof personOrganization>
