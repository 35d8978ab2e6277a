import { expect, test } from 'vitest'
import { caseStudies } from './case-studies.ts'
import { anchorOf, type CaseStudy } from './case-study.ts'

test('four case studies, in the order of the page', () => {
  expect(caseStudies.map(({ category }) => category)).toEqual([
    'Real estate lead system',
    'AI social media system',
    'PPC agency outreach automation',
    '500 automated local web pages',
  ])
})

test.each(caseStudies)('$category has all of its texts', (story) => {
  for (const text of [story.title, story.summary, story.industry, story.client]) expect(text).not.toBe('')
  expect(story.slug).toBe(anchorOf(story.category))
  expect(story.text.match(/^### .+$/gm)).toEqual(['### Challenge', '### Solution', '### Implementation'])
  expect(story.text.match(/^- .+$/gm)?.length).toBeGreaterThanOrEqual(5)
  expect(story.technologies.length).toBeGreaterThanOrEqual(5)
  expect(story.timeline.phases.length).toBeGreaterThanOrEqual(3)
  expect(story.results).toHaveLength(3)
})

test('the real estate system: leads found within 7 minutes, 25% conversion increase, 6 weeks', () => {
  const story = tell('real-estate-lead-system')

  expect(story.title).toBe('Real estate leads found within 7 minutes')
  expect(resultsOf(story)).toContain('25% conversion increase')
  expect(resultsOf(story)).toContain('6 weeks implementation')
  expect(story.timeline.total).toBe('6 weeks')
})

test('the social media system: $20K monthly revenue, 100 paying users, 4 months', () => {
  const story = tell('ai-social-media-system')

  expect(resultsOf(story)).toContain('$20K monthly revenue')
  expect(resultsOf(story)).toContain('100 paying users')
  expect(story.timeline.total).toBe('4 months')
})

test('the stages of the real estate system add up to 7 minutes', () => {
  const { chart } = tell('real-estate-lead-system')

  expect(chart?.kind === 'stages' && chart.stages.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(7 * 60)
})

test('the growth of the social media system ends at its result, with every user at $200', () => {
  const { chart } = tell('ai-social-media-system')
  const months = chart?.kind === 'growth' ? chart.months : []

  expect(months.at(-1)).toMatchObject({ users: 100, revenue: 20_000 })
  for (const { users, revenue } of months) expect(revenue).toBe(users * 200)
})

test('the outreach funnel never grows, and ends at the calls of its result', () => {
  const story = tell('ppc-agency-outreach-automation')
  const counts = story.chart?.kind === 'funnel' ? story.chart.steps.map(({ count }) => count) : []

  expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  expect(resultsOf(story)).toContain(`${counts.at(-1)} calls booked a month`)
  expect(resultsOf(story)).toContain(`${Math.round(((counts[3] ?? 0) / (counts[2] ?? 1)) * 100)}% of messages answered`)
})

test('the local pages are 20 services in 25 towns', () => {
  const story = tell('500-automated-local-web-pages')
  const { chart } = story

  expect(chart?.kind === 'grid' && chart.rows.count * chart.columns.count).toBe(500)
  expect(resultsOf(story)).toContain('500 pages published')
  expect(chart?.kind === 'grid' && resultsOf(story)).toContain(`${chart?.kind === 'grid' && chart.firstTime} right at the first build`)
})

function tell(slug: string): CaseStudy {
  const story = caseStudies.find((story) => story.slug === slug)
  if (!story) throw new Error(`No story ${slug}`)
  return story
}

function resultsOf({ results }: CaseStudy): string[] {
  return results.map(({ value, metric }) => `${value} ${metric}`)
}
