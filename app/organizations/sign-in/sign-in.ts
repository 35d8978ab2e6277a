import { z } from 'zod/mini'
import { servedProviders } from '#app/auth/providers/served-providers.ts'
import { ORGANIZATIONS } from '#app/organizations/organization/organization.ts'

export const signInOf = (organizationId: string) => `${ORGANIZATIONS}/${organizationId}/sign-in`

export const signInBody = z.object({
  /** An empty text allows every sign-in method. */
  provider: z.enum(['', ...servedProviders], 'This installation does not serve this provider'),
})

export const signInRule = z.object({
  /** An empty text allows every sign-in method. */
  provider: z.string(),
  /** The providers of this installation. */
  choices: z.array(z.string()),
})
