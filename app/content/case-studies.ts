import { localPages } from './case-study-local-pages.ts'
import { ppcOutreach } from './case-study-ppc-outreach.ts'
import { realEstateLeads } from './case-study-real-estate.ts'
import { socialMedia } from './case-study-social-media.ts'
import { anchorOf, type CaseStudy } from './case-study.ts'
import { currentSettings, type SettingValues } from './settings/live.ts'
import { terms } from './terms.ts'

/**
 * The delivered case studies, in the order of the page. Replace them with your own here, one file each, or under Settings. Clients stay unnamed
 * until they agree in writing, and each chart shows only figures of its own case study.
 */
export const caseStudies: readonly CaseStudy[] = [realEstateLeads, socialMedia, ppcOutreach, localPages]

/** Those that the site shows: the delivered ones, until the owner saves others. */
export function shownCaseStudies(): readonly CaseStudy[] {
  const saved = currentSettings().stories
  return saved ? saved.items.filter(({ shown }) => shown).map(storyOf) : caseStudies
}

type SavedStory = NonNullable<SettingValues['stories']>['items'][number]

function storyOf(saved: SavedStory): CaseStudy {
  const { category, title, summary = '', inShort = title, industry = '', client = '', text = '', technologies = '', duration = '' } = saved
  return {
    slug: anchorOf(category),
    category,
    title,
    inShort,
    summary,
    industry,
    client,
    text,
    technologies: technologies.split(',').flatMap((technology) => technology.trim() || []),
    timeline: { total: duration, phases: saved.phases },
    results: saved.results,
    chart: caseStudies.find((delivered) => delivered.category === saved.chart)?.chart,
  }
}

const counts = ['', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight']

/** `Four systems`. */
export function countedSystems(): string {
  const { length } = shownCaseStudies()
  return `${counts[length] ?? length} ${length === 1 ? 'system' : 'systems'}`
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
