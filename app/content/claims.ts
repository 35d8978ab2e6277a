import { countsBusinessHours } from './hours.ts'
import { liveContent } from './settings/live.ts'
import { terms } from './terms.ts'

/** A figure that this business states about itself: the value in large type, the label beside it. Together they are a sentence. */
export type Claim = { readonly value: string; readonly label: string; /** For narrow places. */ readonly short?: string }

/**
 * The claims of the pages. Change a figure here or under Settings and every page follows; name its source in claim-sources.server.ts. None of them is
 * published to search engines as a rating.
 */
const defaults = {
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

export type ClaimName = keyof typeof defaults

export const claims: Readonly<Record<ClaimName, Claim>> = liveContent<Record<ClaimName, Claim>, 'claims'>(
  'claims',
  defaults,
  ({ promises, ...figures }) => {
    const merged: Record<ClaimName, Claim> = { ...defaults }
    for (const name of FIGURES) merged[name] = savedFigure(defaults[name], figures[name])
    for (const name of PROMISES) if (!promises[name]) merged[name] = { value: '', label: defaults[name].label }
    return merged
  },
)

const FIGURES = ['projects', 'accuracy', 'experience', 'satisfaction', 'businesses'] as const
const PROMISES = ['acknowledgement', 'response', 'proposal', 'duration'] as const

/** A narrow place has the short words only while the long ones are ours. */
function savedFigure(ours: Claim, { value = '', label }: { value?: string | undefined; label: string }): Claim {
  return { value, label, ...(ours.short && label === ours.label && { short: ours.short }) }
}

/** Those of the claims that the owner has not hidden. */
export function shownClaims<Name extends ClaimName>(names: readonly Name[]): Name[] {
  return names.filter((name) => claims[name].value !== '')
}

function businessNote(): string {
  return countsBusinessHours() ? ' (business hours)' : ''
}

/** `500+ projects`. */
export function claimText(name: ClaimName): string {
  return `${claims[name].value} ${claims[name].label}`
}
