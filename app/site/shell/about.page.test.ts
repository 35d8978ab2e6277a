import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { readPage } from '#test/read-page.ts'
import { founder, listAchievements, listCareer, mission, skills, values } from '#app/content/about.ts'

const page = await readPage(await startApp(), '/about')

test('the about page introduces the founder', () => {
  expect(page.status).toBe(200)
  for (const text of [founder.name, founder.role, founder.quote, ...founder.bio]) expect(page.text).toContain(text)
})

test('its statistics are 500+ projects, 99%+ accuracy, 6+ years, 100% satisfaction', () => {
  const pairs = [...page.main.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*>([^<]*)<\/dd>/g)].map(([, label, value]) => `${value} ${label}`)

  expect(pairs).toEqual(expect.arrayContaining(['500+ projects', '99%+ accuracy', '6+ years', '100% satisfaction']))
})

test('it shows achievements, career, skills by category, mission and values', () => {
  for (const { title, text } of [...listAchievements(), ...values]) expect(page.text).toContain(`${title} ${text}`)
  for (const { year, title, text } of listCareer()) expect(page.text).toContain(`${year} ${title} ${text}`)
  for (const { category, items } of skills) expect(page.text).toContain(`${category} ${items.join(' ')}`)
  expect(page.text).toContain(mission.text)
})

test('it leads to the contact page and the case studies', () => {
  expect(page.links.slice(-2)).toEqual(['/contact', '/case-studies'])
})
