import { z } from 'zod/mini'

/** The visitor's own page of a lead, for staff. `url` is null while it is revoked. */
export const visitorPage = z.object({ url: z.nullable(z.string()) })

export type VisitorPage = z.infer<typeof visitorPage>
