import { localPages } from './case-study-local-pages.ts'
import { ppcOutreach } from './case-study-ppc-outreach.ts'
import { realEstateLeads } from './case-study-real-estate.ts'
import { socialMedia } from './case-study-social-media.ts'
import type { CaseStudy } from './case-study.ts'
import { terms } from './terms.ts'

/**
 * The case studies, in the order of the page. Replace them with your own, one file each. Clients stay unnamed until they agree in writing,
 * and each chart shows only figures of its own case study.
 */
export const caseStudies: readonly CaseStudy[] = [realEstateLeads, socialMedia, ppcOutreach, localPages]

export const caseStudiesText = {
  eyebrow: 'Case studies',
  title: 'Four systems, and the figures they are measured by',
  introduction: 'What was wrong, what we built, how long it took and what changed. The clients stay unnamed; their figures do not.',
  closing: {
    title: 'Yours would begin with three lines',
    text: `Name the pages, the columns and the day. Within ${terms.response} you have ${terms.answer}.`,
    contact: 'Describe your project',
    services: 'See services and prices',
  },
} as const
