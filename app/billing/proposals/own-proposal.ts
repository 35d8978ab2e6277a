import { z } from 'zod/mini'
import { proposalStates } from './proposal.ts'

export const OWN_PROPOSALS = '/api/own-proposals'

/** A proposal for a member of the company that it was sent to. */
export const ownProposal = z.object({
  id: z.string(),
  reference: z.string(),
  number: z.number(),
  title: z.string(),
  state: z.enum(proposalStates),
  currency: z.string(),
  validUntil: z.string(),
  sentAt: z.nullable(z.string()),
  /** Null for members who may not buy: they see no amounts, and the page has them. */
  net: z.nullable(z.number()),
  path: z.nullable(z.string()),
})

export type OwnProposal = z.infer<typeof ownProposal>

export const ownProposals = z.object({ proposals: z.array(ownProposal) })
