import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'
import { newEmailAddress } from '#app/auth/protocol/email-address.ts'
import { paging, searchText } from '#app/ui/admin/paging.ts'
import { memberRoles } from '#app/organizations/organization/organization.ts'
import { accountRights, role } from '#app/auth/users/role.ts'

export const USERS = '/api/admin/users'
/** What a change of an account touches: also its sessions, requests and the audit log. */
export const accountData = ['/api/admin/']

export const userQuery = z.object({ q: searchText('Search for one text of at most 200 characters.'), role: z.optional(role), ...paging })

/** A company in which a person works. */
export const userOrganization = z.object({ reference: z.string(), name: z.string(), role: z.enum(memberRoles) })

export const invitation = z.object({ email: newEmailAddress('Please enter a valid email address'), role })

export const roleChange = z.object({ role })

export const rightsChange = z.object({ rights: z.array(z.enum(accountRights, 'There is no such right')) })

/** In days. */
const FOR_GOOD = 36_500
export const banLengths = [
  { days: 1, label: 'One day' },
  { days: 7, label: 'A week' },
  { days: 30, label: '30 days' },
  { days: FOR_GOOD, label: 'Permanently' },
]

export const ban = z.object({
  days: z.int('Choose how long').check(z.minimum(1, 'At least a day'), z.maximum(FOR_GOOD, 'At most 100 years')),
  reason: z
    .string('Enter a reason')
    .check(z.trim(), z.minLength(3, 'Enter a reason of at least 3 characters'), ...atMost(500, 'At most 500 characters')),
})
