import { z } from 'zod/mini'

export const organizationCallsOf = (organizationId: string) => `/api/admin/organizations/${organizationId}/calls`

export const organizationCalls = z.array(z.object({ id: z.string(), name: z.string(), status: z.string(), startsAt: z.string() }))
