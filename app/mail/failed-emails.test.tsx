import { expect, test } from 'vitest'
import { showDashboard, wordsOf } from '#test/dashboard.tsx'
import type { EmailSummary } from './emails.ts'
import { FailedEmails } from './failed-emails.tsx'

const email = {
  id: '0199a6a0-0000-7000-8000-000000000001',
  kind: 'acknowledgement',
  to: 'ada@example.com',
  subject: 'We have your enquiry',
  state: 'waiting',
  attempts: 3,
  reason: 'The mail server rejected our login (535).',
  postedAt: '2026-11-20T09:00:00.000Z',
  sentAt: null,
  failedAt: null,
  nextAttemptAt: '2026-11-20T09:02:00.000Z',
} satisfies EmailSummary

const stuck = '/api/letters?state=waiting&attempts=3&limit=100'
const show = (failed: EmailSummary[], waiting: EmailSummary[]) =>
  showDashboard(<FailedEmails />, {
    at: '/dashboard',
    answers: { '/api/letters?state=failed&limit=100': failed, [stuck]: waiting },
  })

test('after the third attempt of any email, the dashboard of staff says what is wrong with the mail server', () => {
  const html = show([], [email])
  expect(wordsOf(html)).toContain('One email could not be sent yet, after 3 attempts or more. The mail server rejected our login (535).')
  expect(html).toContain('href="/dashboard/letters?state=waiting"')
  expect(wordsOf(show([email, email], []))).toContain('2 emails could not be sent.')
  expect(wordsOf(show([], []))).toBe('')
})
