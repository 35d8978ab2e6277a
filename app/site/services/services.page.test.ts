import { expect, test } from 'vitest'
import { identity } from '#app/content/identity.ts'
import { offerings } from '#app/content/offerings.ts'
import { startApp } from '#test/app.ts'
import { readPage } from '#test/read-page.ts'

const page = await readPage(await startApp(), '/services')

test('the services page begins with a way to write', () => {
  expect(page.status).toBe(200)
  expect(page.links[0]).toBe('/contact')
})

test('it shows the four offerings with the specified prices and times', () => {
  for (const [title, price, time] of [
    ['Custom scraping solutions', 'from $500', '24-48 hours for simple projects'],
    ['Real-time data APIs', 'from $1,200', '1-2 weeks'],
    ['Market intelligence and monitoring', 'from $800/month', 'setup in 3-5 business days'],
    ['Data processing and analysis', 'from $600', '1 week for standard dashboards'],
  ]) {
    expect(page.text).toContain(`${title} ${price} ${time}`)
  }
})

test.each(Object.values(offerings))(
  '$title lists its features and has a button to the contact page',
  ({ id, features, covers, action }) => {
    const start = page.main.indexOf(`<section id="${id}"`)
    const sheet = page.main.slice(start, page.main.indexOf('</section>', start))

    for (const text of [...features, covers]) expect(sheet).toContain(text)
    expect(sheet).toMatch(new RegExp(`<a [^>]*href="/contact"[^>]*>${action}</a>`))
  },
)

test('the alternatives to the form are email, the messaging app and the call', () => {
  expect(page.links.slice(-5, -2)).toEqual([`mailto:${identity.email}`, identity.messagingApp.url, '/book'])
})

test('it ends with the contact page and the case studies', () => {
  expect(page.links.slice(-2)).toEqual(['/contact', '/case-studies'])
})
