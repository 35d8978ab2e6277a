import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import { textOf } from '#test/read-page.ts'

const app = await startApp()

test('a customer who opens the calendar reads what it is for, and how to book a call', async () => {
  const { headers } = await signIn('customer')
  const reply = await app.inject({ url: '/admin/calendar', headers })
  expect(reply.statusCode).toBe(200)
  expect(textOf(reply.body)).toContain('Only staff can use this page. You can book a call with us.')
  expect(reply.body).toContain('href="/book"')
})

test('staff see their calendar, and a stranger the sign-in page', async () => {
  const { headers } = await signIn('staff')
  const reply = await app.inject({ url: '/admin/calendar', headers })
  expect([reply.statusCode, textOf(reply.body).includes('Only staff')]).toEqual([200, false])
  const stranger = await app.inject({ url: '/admin/calendar' })
  expect([stranger.statusCode, stranger.headers.location]).toEqual([302, '/login?next=%2Fadmin%2Fcalendar'])
})
