import { expect, test } from 'vitest'
import { caseStudies } from '#app/content/case-studies.ts'
import { startApp } from '#test/app.ts'
import { readPage, textOf } from '#test/read-page.ts'

const page = await readPage(await startApp(), '/case-studies')

test('the case studies are four, and the list above them leads to each', () => {
  expect(page.status).toBe(200)
  expect([...page.main.matchAll(/<article[^>]*><header[^>]*><p[^>]*>([^<]*)</g)].map(([, category]) => category)).toEqual([
    'Real estate lead system',
    'AI social media system',
    'PPC agency outreach automation',
    '500 automated local web pages',
  ])
  expect(page.links.slice(0, 4)).toEqual(caseStudies.map(({ slug }) => `#${slug}`))
})

test.each(caseStudies)('$category is shown whole, with its chart', (story) => {
  const start = page.main.indexOf(`<article id="${story.slug}"`)
  const html = page.main.slice(start, page.main.indexOf('</article>', start))
  const text = textOf(html)

  for (const part of [story.title, story.industry, story.client, ...story.technologies]) expect(text).toContain(part)
  for (const part of [...story.text.split(/\n+(?:### |- )?/), `Timeline: ${story.timeline.total}`])
    expect(text).toContain(part.replace('### ', ''))
  for (const { value, metric, description } of story.results) expect(text).toContain(`${value} ${metric} ${description}`)
  for (const { when, what } of story.timeline.phases) expect(text).toContain(`${when} ${what}`)
  expect(html).toMatch(/<figure[\s\S]*<svg[\s\S]*<figcaption/)
})

test('the figures of the real estate and the social media system are the specified ones', () => {
  for (const figure of ['within 7 minutes', '25% conversion increase', '6 weeks implementation']) expect(page.text).toContain(figure)
  for (const figure of ['$20K monthly revenue', '100 paying users', '4 months']) expect(page.text).toContain(figure)
})

test('they end with the contact page and the services', () => {
  expect(page.links.slice(-2)).toEqual(['/contact', '/services'])
})
