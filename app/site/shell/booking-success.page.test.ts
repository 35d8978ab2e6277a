import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { readPage } from '#test/read-page.ts'
import { booking } from '#app/content/booking.ts'
import { identity } from '#app/content/identity.ts'

const page = await readPage(await startApp(), '/booking-success')

test('a booked call is confirmed for everyone, and search engines do not index the page', () => {
  expect(page.status).toBe(200)
  expect(page.main).toMatch(/<h1[^>]*>Your Strategy Call is Confirmed!<\/h1>/)
  expect(page.meta('robots')).toBe('noindex')
})

test('it lists the next steps, the topics of the call and how to prepare', () => {
  for (const { title, text } of booking.next.steps) expect(page.text).toContain(`${title} ${text}`)
  for (const { title, items } of [booking.covered, booking.preparation]) expect(page.text).toContain(`${title} ${items.join(' ')}`)
})

test('it links to an email and to the home page', () => {
  expect(page.links).toContain(`mailto:${identity.email}`)
  expect(page.main).toMatch(/<a [^>]*href="\/"[^>]*>Return to Homepage<\/a>/)
})
