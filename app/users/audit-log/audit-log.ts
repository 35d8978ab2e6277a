import { z } from 'zod/mini'
import { isoDay } from '#app/platform/time/iso-moment.ts'
import { paging, searchText } from '#app/ui/admin/paging.ts'

export const AUDIT = '/api/admin/audit'

const DAY = 'A day is written as 2026-11-20.'
const day = z.optional(isoDay(DAY))

/** The filters of the list and the export. Days are whole days in UTC. */
export const auditChoice = z.object({
  action: z.optional(
    z
      .string('There is no such action.')
      .check(z.maxLength(60, 'There is no such action.'), z.regex(/^[a-z_]*$/, 'There is no such action.')),
  ),
  person: searchText('Name one person: an address, a part of one, or an id.'),
  from: day,
  to: day,
})

export const auditQuery = z.object({ ...auditChoice.shape, ...paging })

export type AuditChoice = z.infer<typeof auditChoice>
export type AuditQuery = z.infer<typeof auditQuery>

/** Null: the service itself, or an unknown person. A deleted account has only an id; what is not an account may have a name. */
const someone = z.nullable(z.object({ id: z.string(), email: z.nullable(z.string()), name: z.nullable(z.string()) }))

export const auditEvent = z.object({
  id: z.string(),
  action: z.string(),
  actor: someone,
  subject: someone,
  address: z.nullable(z.string()),
  detail: z.record(z.string(), z.unknown()),
  /** The detail with names in place of ids. */
  facts: z.record(z.string(), z.unknown()),
  createdAt: z.string(),
})

export type AuditEvent = z.infer<typeof auditEvent>

/** `actions` are all actions that occur in the log, for the filter. */
export const auditPage = z.object({ events: z.array(auditEvent), actions: z.array(z.string()), nextCursor: z.nullable(z.string()) })

export type AuditPage = z.infer<typeof auditPage>
