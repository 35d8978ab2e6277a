import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { readPage } from '#test/read-page.ts'
import { booking } from '#app/content/booking.ts'
import { identity } from '#app/content/identity.ts'

const page = await readPage(await startApp(), '/booking-success')

test('a booked call is confirmed, whoever comes to the page, and no search engine keeps it (row 16)', () => {
  expect(page.status).toBe(200)
  expect(page.main).toMatch(/<h1[^>]*>Your Strategy Call is Confirmed!<\/h1>/)
  expect(page.meta('robots')).toBe('noindex')
})

test('it says what happens next, what will be covered and how to prepare (row 16)', () => {
  for (const { title, text } of booking.next.steps) expect(page.text).toContain(`${title} ${text}`)
  for (const { title, items } of [booking.covered, booking.preparation]) expect(page.text).toContain(`${title} ${items.join(' ')}`)
})

test('it offers an e-mail and the way back home (row 16)', () => {
  expect(page.links).toContain(`mailto:${identity.email}`)
  expect(page.main).toMatch(/<a [^>]*href="\/"[^>]*>Return to Homepage<\/a>/)
})
