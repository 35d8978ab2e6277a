import { billing } from '#app/content/billing.server.ts'
import { caseStudies } from '#app/content/case-studies.ts'
import { claims } from '#app/content/claims.ts'
import { founder } from '#app/content/about.ts'
import { hireQuestions, homeQuestions, type Question } from '#app/content/faq.ts'
import { exampleTestimonials } from '#app/content/home.ts'
import { identity } from '#app/content/identity.ts'
import { legalDocuments, legalEntity } from '#app/content/legal.ts'
import { offerings } from '#app/content/offerings.ts'
import { proposalDefaults } from '#app/content/proposals.ts'
import type { Price } from '#app/content/price.ts'
import { services } from '#app/content/services.ts'
import { env } from '#app/platform/env.server.ts'
import { officeWeek } from '#app/platform/time/weekly-hours.ts'
import { accent } from '#app/ui/paper.ts'
import type { SectionName } from './sections.server.ts'
import { withDefaults } from './settings.server.ts'

/** The content of the files in the shape of a saved section: what the form begins with. */
export function defaultsOf(section: SectionName): object {
  return withDefaults(readers[section])
}

const readers: Record<SectionName, () => object> = {
  identity: () => ({ name: identity.name, tagline: identity.tagline, email: identity.email }),
  links() {
    const { messagingApp, microblog, professionalNetwork, fourthNetwork } = identity
    return { messagingApp, microblog, professionalNetwork, fourthNetwork }
  },
  founder() {
    const { since: _since, ...person } = founder
    return person
  },
  services: () =>
    Object.fromEntries(
      services.map(({ id, sample: _sample, price, popular = false, ...card }) => [id, { ...card, ...charged(price), popular }]),
    ),
  offerings: () =>
    Object.fromEntries(
      Object.entries(offerings).map(([name, { id: _id, sample: _sample, price, ...sheet }]) => [name, { ...sheet, ...charged(price) }]),
    ),
  questions: () => ({ home: homeQuestions.map(asked), hire: hireQuestions.map(asked) }),
  hours: () => ({ counts: 'All hours', zone: 'UTC', week: officeWeek, holidays: [] }),
  claims() {
    const { projects, accuracy, experience, satisfaction, businesses } = claims
    const figures = Object.entries({ projects, accuracy, experience, satisfaction, businesses })
    return {
      ...Object.fromEntries(figures.map(([name, { value, label }]) => [name, { value, label }])),
      promises: { acknowledgement: true, response: true, proposal: true, duration: true },
    }
  },
  proposals: () => ({ ...proposalDefaults }),
  stories: () => ({
    items: caseStudies.map(({ category, title, inShort, summary, results, text, industry, client, technologies, timeline }) => ({
      shown: true,
      category,
      title,
      inShort,
      summary,
      results,
      text,
      industry,
      client,
      technologies: technologies.join(', '),
      duration: timeline.total,
      phases: timeline.phases,
      chart: category,
    })),
  }),
  formats: () => ({ currency: env.CURRENCY, dates: 'Month first: October 3, 2026', years: identity.years }),
  // These are examples, so they are not confirmed.
  testimonials: () => ({ items: exampleTestimonials, confirmed: false }),
  legal: () => ({
    ...legalEntity,
    ...Object.fromEntries(Object.entries(legalDocuments).map(([name, { updated }]) => [name, updated])),
  }),
  billing: () => ({ ...billing }),
  branding: () => ({
    accentLight: accent.grain.light,
    accentDark: accent.grain.dark,
    textLight: accent['grain-text'].light,
    textDark: accent['grain-text'].dark,
  }),
}

function charged(price: Price) {
  return price === 'custom pricing' ? { per: 'once' } : { price: price.from, per: price.per ?? 'once' }
}

function asked({ question, answer }: Question) {
  return { question, answer: answer.join('\n\n') }
}
