import { localPages } from './case-study-local-pages.ts'
import { ppcOutreach } from './case-study-ppc-outreach.ts'
import { realEstateLeads } from './case-study-real-estate.ts'
import { socialMedia } from './case-study-social-media.ts'
import type { CaseStudy } from './case-study.ts'
import { currentSettings } from './settings/live.ts'
import { terms } from './terms.ts'

/**
 * The case studies, in the order of the page. Replace them with your own, one file each. Clients stay unnamed until they agree in writing,
 * and each chart shows only figures of its own case study.
 */
export const caseStudies: readonly CaseStudy[] = [realEstateLeads, socialMedia, ppcOutreach, localPages]

/** Those that the owner shows, in the order of the settings. */
export function shownCaseStudies(): readonly CaseStudy[] {
  const order = currentSettings().stories?.order
  return order?.flatMap((name) => caseStudies.find(({ category }) => category === name) ?? []) ?? caseStudies
}

/** `Four systems`. */
export function countedSystems(): string {
  const { length } = shownCaseStudies()
  return length === 1 ? 'One system' : `${['', '', 'Two', 'Three', 'Four'][length] ?? length} systems`
}

/** `Four systems, and the numbers they are measured by`. */
export function measuredSystems(where = ''): string {
  return `${countedSystems()}${where}, and the numbers ${shownCaseStudies().length === 1 ? 'it is' : 'they are'} measured by`
}

export const caseStudiesText = {
  eyebrow: 'Case studies',
  get title() {
    return measuredSystems()
  },
  introduction: 'Each one covers the problem, the system we built, the timeline and the results. We leave out names, not numbers.',
  open: 'Read the case study',
  closing: {
    title: 'Start yours with three lines',
    get text() {
      return `Name the pages, the columns and the date. Within ${terms.response}, you get ${terms.answer}.`
    },
    contact: 'Describe your project',
    services: 'See services and prices',
  },
} as const
