import type { ClaimName } from './claims.ts'
import { identity } from './identity.ts'
import { terms } from './terms.ts'

/**
 * The source of each claim, for the person who is responsible for it. Never sent to a browser. These are examples of a good note: replace
 * them with your own before you publish, or remove the claim.
 */
export const claimSources = {
  projects: `Count of signed-off projects in the project ledger since ${identity.since}. Recount each quarter.`,
  accuracy: 'Share of values that agree with the source, in rows that we compared by hand. Also promised in the terms of service.',
  experience: `First invoiced project: ${identity.since}.`,
  satisfaction: 'Share of closing questionnaires with "would order again", all answers so far. Remove it with the first "no".',
  businesses: 'Count of distinct client companies in the project ledger. Used on the home page only.',
  get response() {
    return `A promise: an answer by a person within ${terms.response}. It holds if no lead on the dashboard is older without one.`
  },
  get acknowledgement() {
    return `A promise: a person confirms within ${terms.acknowledgement} that the enquiry was read. The automatic email does not count.`
  },
  get proposal() {
    return `A promise: price, dates and scope in writing within ${terms.proposal} of the enquiry or the call.`
  },
  duration: 'Middle half of project lengths in the ledger. Single offers name their own times.',
} satisfies Record<ClaimName, string>
