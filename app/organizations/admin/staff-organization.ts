import { z } from 'zod/mini'
import { newEmailAddress } from '#app/auth/protocol/email-address.ts'
import {
  organization,
  organizationName,
  organizationStates,
  organizationTitle,
  staffFacts,
} from '#app/organizations/organization/organization.ts'
import { paging, searchText } from '#app/ui/admin/paging.ts'

/** Organizations for staff. */
export const STAFF_ORGANIZATIONS = '/api/admin/organizations'

/** In days, for the undo of a merge. */
export const MERGE_UNDO_DAYS = 30

export const organizationQuery = z.object({
  q: searchText('Search for one text of at most 200 characters.'),
  state: z.optional(z.enum(organizationStates, 'The state is active, suspended or closed.')),
  ...paging,
})

/** A company in the list of staff. */
export const listedOrganization = z.object({
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  countryCode: z.string(),
  state: z.enum(organizationStates),
  members: z.number(),
  /** It has no active admin: staff have to name one. */
  lacksAdmin: z.boolean(),
  datasets: z.number(),
  createdAt: z.string(),
})

export type ListedOrganization = z.infer<typeof listedOrganization>

export const organizationPage = z.object({ organizations: z.array(listedOrganization), nextCursor: z.nullable(z.string()) })

/** An organization as staff see it, with what others with the same VAT number are called. */
export const staffOrganization = z.extend(z.omit(organization, { role: true }), {
  ...staffFacts,
  /** It has no active admin: staff have to name one. */
  lacksAdmin: z.boolean(),
  /** The one in which it has ended. */
  mergedInto: z.nullable(z.object({ reference: z.nullable(z.string()), name: z.string() })),
  sameVat: z.array(organizationName),
  /** The merges that can be undone. */
  merges: z.array(z.object({ id: z.string(), name: z.string(), createdAt: z.string() })),
})

export type StaffOrganization = z.infer<typeof staffOrganization>

export const newStaffOrganizationBody = z.object({
  name: organizationTitle,
  /** Invited as its first admin. */
  email: z.optional(newEmailAddress('Please enter a valid email address')),
})

export const stateBody = z.object({ state: z.enum(organizationStates, 'The state is active, suspended or closed.') })

export const adminBody = z.object({ email: newEmailAddress('Please enter a valid email address') })

export const mergeBody = z.object({
  /** Its id or its reference. */
  into: z
    .string('Choose the organization that stays')
    .check(z.trim(), z.minLength(1, 'Choose the organization that stays'), z.maxLength(40, 'There is no such organization')),
  /** Otherwise the quota of the one that stays counts. */
  addsQuota: z._default(z.boolean('This must be true or false'), false),
})
