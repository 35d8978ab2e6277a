import { expect, test } from 'vitest'
import { cellsOf, showDashboard, wordsOf } from '#test/dashboard.tsx'
import type { EmailSummary } from './emails.ts'
import { EmailsTable } from './emails-table.tsx'

const idOf = (number: number) => `0199a6a0-0000-7000-8000-${String(number).padStart(12, '0')}`

function emailsFrom(first: number, count: number): EmailSummary[] {
  return Array.from({ length: count }, (_, at) => ({
    id: idOf(first - at),
    kind: 'acknowledgement',
    to: `lead-${first - at}@example.com`,
    subject: 'We have your enquiry',
    state: 'sent',
    attempts: 1,
    reason: null,
    postedAt: '2026-11-20T09:00:00.000Z',
    sentAt: '2026-11-20T09:00:01.000Z',
    failedAt: null,
    nextAttemptAt: null,
  }))
}

const show = (at: string, question: string, emails: EmailSummary[]) =>
  showDashboard(<EmailsTable state="sent" />, {
    at: `/dashboard${at}`,
    answers: { [`/api/letters?state=sent&limit=51${question}`]: emails },
  })

test('a page shows 50 emails, and the way to older ones where there are more', () => {
  const html = show('?state=sent', '', emailsFrom(200, 51))
  expect(cellsOf(html)).toHaveLength(50)
  expect(html).toContain(`href="/dashboard?state=sent&amp;cursor=${idOf(151)}"`)
  expect(wordsOf(html)).not.toContain('Newest')
})

test('the last page leads back to the newest, and no further', () => {
  const html = show(`?state=sent&cursor=${idOf(151)}`, `&before=${idOf(151)}`, emailsFrom(150, 3))
  expect(cellsOf(html).map(([, to]) => to)).toEqual(['lead-150@example.com', 'lead-149@example.com', 'lead-148@example.com'])
  expect(html).toContain('href="/dashboard?state=sent"')
  expect(html).not.toContain('rel="next"')
})

test('what fits on one page has no pages, and a page that has become empty has a way back', () => {
  expect(show('?state=sent', '', emailsFrom(50, 50))).not.toContain('<nav')
  const empty = show(`?state=sent&cursor=${idOf(1)}`, `&before=${idOf(1)}`, [])
  expect(wordsOf(empty)).toContain('No sent emails')
  expect(empty).toContain('href="/dashboard?state=sent"')
})
