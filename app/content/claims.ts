import { countsBusinessHours } from './hours.ts'
import { terms } from './terms.ts'

/** A figure that this business states about itself: the value in large type, the label beside it. Together they are a sentence. */
export type Claim = { readonly value: string; readonly label: string; /** For narrow places. */ readonly short?: string }

/**
 * The claims of the pages. Change a figure here and every page follows; name its source in claim-sources.server.ts. None of them is
 * published to search engines as a rating.
 */
export const claims = {
  projects: { value: '500+', label: 'projects' },
  accuracy: { value: terms.accuracy, label: 'data accuracy', short: 'accuracy' },
  experience: { value: '6+', label: 'years of experience', short: 'years' },
  satisfaction: { value: '100%', label: 'satisfaction' },
  businesses: { value: '200+', label: 'businesses' },
  response: {
    value: `${terms.hours.response}-hour`,
    get label() {
      return `response${businessNote()}`
    },
  },
  acknowledgement: {
    value: `${terms.hours.acknowledgement}-hour`,
    get label() {
      return `acknowledgement${businessNote()}`
    },
  },
  proposal: {
    value: 'Proposal',
    get label() {
      return `within ${terms.proposal}`
    },
  },
  duration: { value: 'Projects', label: `in ${terms.project}` },
} as const satisfies Record<string, Claim>

export type ClaimName = keyof typeof claims

function businessNote(): string {
  return countsBusinessHours() ? ' (business hours)' : ''
}

/** `500+ projects`. */
export function claimText(name: ClaimName): string {
  return `${claims[name].value} ${claims[name].label}`
}
