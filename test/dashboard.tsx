import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { createQueryClient } from '#app/platform/browser/query-client.tsx'
import { type ListedConsultation, type ListedContact, type WholeContact, wholeContact } from '#app/leads/lead/lead.ts'
import { asStaffFacts, enquiryFactNames } from '#app/leads/lead/lead-facts.ts'
import { type LeadDetail, leadDetail } from '#app/leads/record/timeline.ts'
import type { LeadSummary } from '#app/leads/list/lead-summary.ts'
import type { LeadPage } from '#app/leads/list/lead-query.ts'

/** Renders a part of the dashboard at an address, with cached API responses. */
export function showDashboard(
  element: ReactNode,
  { at = '/dashboard', answers = {} }: { at?: string; answers?: Record<string, unknown> } = {},
) {
  const client = createQueryClient(() => undefined)
  for (const [url, data] of Object.entries(answers)) client.setQueryData([url], data)
  const router = createMemoryRouter([{ path: '/dashboard', element }], { initialEntries: [at] })
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

/** The visible words of HTML, separated by single spaces. */
export function wordsOf(html: string): string {
  return html
    .replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#x27;|&apos;/g, "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The cells of each row of a table's body. */
export function cellsOf(html: string): string[][] {
  const [, body = ''] = /<tbody>(.*?)<\/tbody>/s.exec(html) ?? []
  return [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => wordsOf(cell)),
  )
}

export const listed: ListedContact = {
  id: '0199a6a0-0000-7000-8000-000000000001',
  reference: 'W-7K3M9Q',
  name: 'Ada Lovelace',
  email: 'ada@analytical.example',
  company: 'Analytical Engines',
  serviceType: 'Price Monitoring',
  message: 'We compare prices by hand and would like a table instead.',
  createdAt: '2026-10-03T09:08:00.000Z',
}

const whole: WholeContact = wholeContact.parse({
  ...Object.fromEntries(enquiryFactNames.map((name) => [name, null])),
  ...listed,
  promisedFrom: listed.createdAt,
  deadlines: { acknowledgement: '2026-10-03T11:08:00.000Z', response: '2026-10-04T09:08:00.000Z', proposal: '2026-10-04T09:08:00.000Z' },
  withdrawnAt: null,
  closedAs: null,
  cameFrom: null,
  form: 'home',
  country: 'United Kingdom',
  problem: 'Price Monitoring',
  budget: '1k-5k',
  timeframe: 'asap',
  answeredAt: null,
  proposal: null,
  proposalSettledAt: null,
  quarantinedAt: null,
  spamReasons: [],
  consultationId: null,
  others: [],
  calls: [],
})

export const detail: LeadDetail = leadDetail.parse({
  ...whole,
  ...asStaffFacts({ stageId: 1 }),
  stageSince: listed.createdAt,
  person: { id: 'person-id', name: listed.name, email: listed.email, bouncedAt: null, bounceReason: null, accountSince: null, merged: [] },
  otherLeads: [],
  tasks: [],
})

export const consultation: ListedConsultation = {
  id: '0199a6a0-0000-7000-8000-000000000002',
  name: 'Charles Babbage',
  email: 'charles@analytical.example',
  company: null,
  phone: '+44 20 7946 0000',
  projectDescription: 'A difference engine for prices.',
  createdAt: '2026-10-04T10:00:00.000Z',
}

export function pageOf<Item>(items: Item[], given: Partial<LeadPage<Item>> = {}): LeadPage<Item> {
  return { items, total: items.length, isTotalExact: true, previousCursor: null, nextCursor: null, ...given }
}

export const summary: LeadSummary = {
  contacts: 1200,
  consultations: 12,
  total: 1212,
  conversionRate: 1,
  serviceTypes: [
    { serviceType: 'Price Monitoring', count: 800 },
    { serviceType: 'Not specified', count: 400 },
  ],
  enquiriesPerDay: [
    { date: '2026-10-03', count: 2 },
    { date: '2026-10-04', count: 5 },
  ],
  waiting: { total: 3, overAcknowledgement: 0, overResponse: 0 },
  quarantined: 4,
  latestContacts: [listed],
  latestConsultations: [consultation],
}
