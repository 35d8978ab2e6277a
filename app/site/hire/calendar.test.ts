import { expect, test, vi } from 'vitest'
import { startApp } from '#test/app.ts'
import { readPage } from '#test/read-page.ts'

vi.hoisted(() => {
  process.env.BOOKING_URL = 'https://cal.example.com/winnow/30min'
  process.env.SITE_URL = 'https://winnow.example'
})

const app = await startApp()

test.each(['/hire-web-scraping-developer', '/get-started', '/contact', '/services'])(
  'with a calendar the buttons for a call on %s open it in a new tab',
  async (url) => {
    const { main, links, text } = await readPage(app, url)

    expect(main).toMatch(/<a href="https:\/\/cal\.example\.com\/winnow\/30min" target="_blank" rel="noopener"/)
    expect(text).toContain('Book a free 30-minute call (opens in a new tab)')
    expect(links).not.toContain('/contact?wish=call#enquiry')
  },
)

test('with a calendar the home page shows it, for a free call of 30 minutes, in a frame that loads late; only the calendar may be framed', async () => {
  const reply = await app.inject('/')

  expect(reply.body).toMatch(/free 30-minute strategy call/)
  expect(reply.body).toMatch(/<iframe src="https:\/\/cal\.example\.com\/winnow\/30min"[^>]* loading="lazy"/)
  expect(reply.headers['content-security-policy']).toMatch(/frame-src https:\/\/cal\.example\.com(;|$)/)
})
