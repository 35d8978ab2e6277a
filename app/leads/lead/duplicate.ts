import { z } from 'zod/mini'
import { anyUuid } from '#app/leads/lead/fact-value.ts'
import { leadPerson } from './new-lead.ts'

export const LEAD_DUPLICATES = '/api/lead-duplicates'

/** By what two people seem to be the same. */
export const sameness = { address: 'Same address', phone: 'Same phone number', name: 'Same name and company' } as const

/** Two people who may be one. The one who came first is `one`, and keeps their address in a merge. */
export const possibleDuplicate = z.object({
  one: leadPerson,
  other: leadPerson,
  because: z.array(z.enum(['address', 'phone', 'name'])),
})

export type PossibleDuplicate = z.infer<typeof possibleDuplicate>

export const possibleDuplicates = z.object({ pairs: z.array(possibleDuplicate), hasMore: z.boolean() })

/** Without a reference, all of them. */
export const duplicatesUrl = (reference?: string) =>
  reference ? `${LEAD_DUPLICATES}?${new URLSearchParams({ reference })}` : LEAD_DUPLICATES

export const twoPeople = z.object({ oneId: anyUuid('Unknown person.'), otherId: anyUuid('Unknown person.') })

export type TwoPeople = z.infer<typeof twoPeople>
