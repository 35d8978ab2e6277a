import { terms } from './terms.ts'

/** A figure this business says about itself: the value stands large, the label beside it. Together they are a sentence. */
export type Claim = { readonly value: string; readonly label: string; /** Where space is short. */ readonly short?: string }

/**
 * What the pages claim. Change a figure here and every page follows; say where it comes from in claim-sources.server.ts.
 * None of them is ever offered to search engines as a rating.
 */
export const claims = {
  projects: { value: '500+', label: 'projects' },
  accuracy: { value: terms.accuracy, label: 'data accuracy', short: 'accuracy' },
  experience: { value: '6+', label: 'years of experience', short: 'years' },
  satisfaction: { value: '100%', label: 'satisfaction' },
  businesses: { value: '200+', label: 'businesses' },
  response: { value: `${terms.hours.response}-hour`, label: 'response' },
  acknowledgement: { value: `${terms.hours.acknowledgement}-hour`, label: 'acknowledgement' },
  proposal: { value: 'Proposal', label: `within ${terms.proposal}` },
  duration: { value: 'Projects', label: `in ${terms.project}` },
} as const satisfies Record<string, Claim>

export type ClaimName = keyof typeof claims

/** `500+ projects`. */
export function claimText(name: ClaimName): string {
  return `${claims[name].value} ${claims[name].label}`
}
