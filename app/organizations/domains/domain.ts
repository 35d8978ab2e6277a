import { z } from 'zod/mini'
import { ORGANIZATIONS } from '#app/organizations/organization/organization.ts'

export const domainsOf = (organizationId: string) => `${ORGANIZATIONS}/${organizationId}/domains`

/** In minutes: a removed domain comes back as it was. */
export const RESTORE_MINUTES = 60

const NOT_A_DOMAIN = 'Enter a domain, such as example.com'
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$`)

export const domainBody = z.object({
  /** An address of a site or a mailbox is read as its domain. */
  domain: z.string(NOT_A_DOMAIN).check(z.maxLength(255, NOT_A_DOMAIN), z.overwrite(domainIn), z.regex(DOMAIN, NOT_A_DOMAIN)),
})

/** A domain as admins see it. */
export const domain = z.object({
  id: z.string(),
  domain: z.string(),
  /** The text of the TXT record that proves it. */
  challenge: z.string(),
  provenAt: z.nullable(z.string()),
  provenBy: z.nullable(z.enum(['dns', 'staff'])),
})

export type OrganizationDomain = z.infer<typeof domain>

function domainIn(text: string): string {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^.*@/, '')
    .replace(/[/?#].*$/s, '')
    .replace(/\.$/, '')
  return /^[\x21-\x7E]*$/.test(host) ? host : (URL.parse(`http://${host}`)?.hostname ?? host)
}
