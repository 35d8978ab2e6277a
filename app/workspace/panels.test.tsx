import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { KEYS } from '#app/data-api/keys/api-key.ts'
import { OWN_DOWNLOADS, PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { ORGANIZATIONS } from '#app/organizations/organization/organization.ts'
import { listed, showDashboard, wordsOf } from '#test/dashboard.tsx'
import { cities, prices } from '#test/marketplace.tsx'
import { DatasetsPanel } from './datasets-panel.tsx'
import { CustomerHomePage, EnquiriesPanel, KeysPanel, RequestsPanel } from './customer-home.tsx'
import { type Panel, staffPanels } from './panels.ts'
import type { CustomerHome, StaffHome } from './workspace.ts'

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-10-05T12:00:00Z'), toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

const calm: StaffHome = {
  view: 'staff',
  overdue: { acknowledgement: 0, proposal: 0, inTime: 0, nextInSeconds: null, leads: [] },
  quarantined: 0,
  failedLetters: 0,
  accessRequests: 0,
  datasetRequests: 0,
  paymentTasks: 0,
  failedImports: 0,
  lastDay: { contacts: 0, consultations: 0, newest: [] },
  conversion: { conversionRate: null },
}

const late = { ...listed, promisedFrom: '2026-10-05T08:00:00Z', acknowledgement: true, proposal: false }

function show<Home>(panels: readonly Panel<Home>[], name: string, home: Home): string {
  const View = panels.find((panel) => panel.name === name)?.View
  if (!View) throw new Error(`There is no panel ${name}.`)
  return showDashboard(<View home={home} />)
}

const linksOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)

describe('staff', () => {
  test('read who has waited too long, for what, and open each with one press', () => {
    const html = show(staffPanels, 'overdue', {
      ...calm,
      overdue: { acknowledgement: 1, proposal: 3, inTime: 2, nextInSeconds: 60, leads: [late] },
    })
    expect(wordsOf(html)).toBe(
      'Overdue 1 not acknowledged (&gt;2 h) 3 no proposal (&gt;24 h) ' +
        'Ada Lovelace · Analytical Engines 4 h Acknowledgement 2 more, still on time.',
    )
    expect(linksOf(html)).toEqual([
      '/dashboard?filter=waiting&amp;sort=createdAt',
      '/dashboard?filter=unproposed&amp;sort=createdAt',
      `/dashboard?contact=${late.id}`,
    ])
  })

  test('read that nobody waits too long, and how many wait in time', () => {
    expect(wordsOf(show(staffPanels, 'overdue', { ...calm, overdue: { ...calm.overdue, inTime: 1 } }))).toContain(
      'Nothing is overdue. The site promises an acknowledgement within 2 hours and a proposal within 24 hours. 1 open enquiry, on time',
    )
  })

  test('decide about quarantine and failed emails where there are any', () => {
    expect(wordsOf(show(staffPanels, 'unsettled', calm))).toContain('All clear. No spam to review, no failed emails, no open requests.')
    const html = show(staffPanels, 'unsettled', { ...calm, quarantined: 2, failedLetters: 1, accessRequests: 1, paymentTasks: 2 })
    expect(wordsOf(html)).toContain(
      '1 request for staff access Decide 2 decisions about payments Decide 2 enquiries in quarantine Release or leave 1 email could not be sent Send again',
    )
    expect(linksOf(html)).toEqual([
      '/admin/users?tab=requests',
      '/admin/billing?tab=tasks',
      '/dashboard?tab=quarantine',
      '/dashboard/letters',
    ])
  })

  test('see what came in since yesterday, and the rate of conversion', () => {
    const lastDay = { contacts: 1, consultations: 0, newest: [{ ...listed, createdAt: '2026-10-05T09:00:00Z' }] }
    const words = wordsOf(show(staffPanels, 'last-day', { ...calm, lastDay, conversion: { conversionRate: 20 } }))
    expect(words).toContain('Enquiries 1 Consultations 0 Conversion 20%')
    expect(words).toContain('Conversion: consultations per 100 contacts, all time. Ada Lovelace · Price Monitoring 3 h ago')
    const none = wordsOf(show(staffPanels, 'last-day', { ...calm, conversion: { conversionRate: 0 } }))
    expect(none).toContain('Conversion 0%')
    expect(none).toContain('No enquiries since yesterday.')
    expect(wordsOf(show(staffPanels, 'last-day', calm))).toContain('Enquiries 0 Consultations 0 Conversion - ')
  })
})

describe('customers', () => {
  const enquiry: CustomerHome['enquiries'][number] = {
    ...listed,
    problem: 'Prices of 40 shops',
    serviceType: null,
    stage: 'received',
    createdAt: '2026-10-05T09:30:00Z',
    promisedFrom: '2026-10-05T09:30:00Z',
    deadlines: { acknowledgement: '2026-10-05T11:30:00Z', response: '2026-10-06T09:30:00Z', proposal: '2026-10-06T09:30:00Z' },
    owesProposal: true,
  }
  const shown = (...enquiries: CustomerHome['enquiries']) => showDashboard(<EnquiriesPanel enquiries={enquiries} />)

  test('read by when we read and answer, that we are late where we are, and where to write then', () => {
    const html = shown(enquiry)
    expect(wordsOf(html)).toContain('Was due Oct 5, 2026, 11:30 A person confirms that they have read it. By Oct 6, 2026, 09:30 We reply')
    expect(wordsOf(html)).toContain('No reply yet? We’re late. Write to')
    expect(html).toContain('subject=Enquiry%20W-7K3M9Q')
  })

  test.each([
    ['received', 'Received', 'Was due Oct 5, 2026, 11:30 A person confirms that they have read it.'],
    ['answered', 'Answered', 'Check your email for our reply, and answer it to continue.'],
    ['proposal', 'Proposal', 'Check your email for our proposal.'],
    ['consultation', 'Consultation', 'We discuss it in a 30-minute call.'],
    ['granted', 'Granted', 'We gave you access. Find the dataset under “Your datasets”.'],
    ['declined', 'Declined', 'We declined this request. Our email says why.'],
  ] as const)('read that an enquiry is %s, and what comes next', (stage, label, next) => {
    expect(wordsOf(shown({ ...enquiry, message: 'Please', stage }))).toContain(
      `W-7K3M9Q · Oct 5, 2026 ${label} Prices of 40 shops Please ${next}`,
    )
  })

  test('find the newest three, and the way to all of them', () => {
    const four = ['1', '2', '3', '4'].map((id) => ({ ...enquiry, id, reference: `W-${id}` }))
    const html = shown(...four)
    expect(wordsOf(html)).toMatch(/W-1 .*W-2 .*W-3 .*Show all 4 enquiries$/)
    expect(html).not.toContain('W-4')
  })

  test('without enquiries see the one action', () => {
    const html = shown()
    expect(wordsOf(html)).toContain('No enquiries yet. Track your enquiries and their status here.')
    expect(linksOf(html)).toEqual(['/contact'])
  })

  test('read which sign-in their organization asks for, and only while this session lacks it', () => {
    const own = {
      id: 'acme',
      reference: 'O-ACME',
      name: 'Acme Retail',
      isPersonal: false,
      state: 'active',
      role: 'member',
      isCurrent: true,
    }
    const home = (current: object) =>
      wordsOf(showDashboard(<CustomerHomePage firstName="Alan" email="alan@example.com" />, { answers: { [ORGANIZATIONS]: [current] } }))
    expect(home({ ...own, signInWith: 'google' })).toContain('Acme Retail asks its members to sign in with Google.')
    expect(home(own)).not.toContain('asks its members')
    expect(home({ ...own, isCurrent: false, signInWith: 'google' })).not.toContain('asks its members')
  })

  test('find what they were granted, then their last download first, each dataset once, and whether there is a newer version', () => {
    const answers = {
      [OWN_DOWNLOADS]: [
        { productId: prices.id, createdAt: '2026-10-01T08:00:00Z' },
        { productId: cities.id, createdAt: '2026-10-04T08:00:00Z' },
        { productId: prices.id, createdAt: '2026-10-03T08:00:00Z' },
        { productId: 'gone', createdAt: '2026-10-05T08:00:00Z' },
      ],
      [PRODUCTS]: [
        { ...prices, updatedAt: '2026-10-04T08:00:00Z' },
        { ...cities, updatedAt: '2026-10-01T08:00:00Z' },
      ],
    }
    const html = showDashboard(<DatasetsPanel />, { answers })
    expect(wordsOf(html)).toBe('Your datasets Data Marketplace World cities Oct 4, 2026 Shop prices New version Oct 3, 2026')
    const nothing = wordsOf(showDashboard(<DatasetsPanel />, { answers: { ...answers, [OWN_DOWNLOADS]: [] } }))
    expect(nothing).toContain('Your downloads appear here')
    const [paid, free] = [{ ...prices, access: 'granted' }, cities]
    const granted = wordsOf(showDashboard(<DatasetsPanel />, { answers: { [OWN_DOWNLOADS]: [], [PRODUCTS]: [paid, free] } }))
    expect(granted).toBe('Your datasets Data Marketplace Shop prices Granted')
  })

  test('see the use of each working key, or how to get one', () => {
    const key = { id: '1', name: 'Nightly', state: 'live', used: 1200, monthlyQuota: 10_000, expiresAt: null }
    const answers = { [KEYS]: [key, { ...key, id: '2', name: 'Old', state: 'replaced' }] }
    expect(wordsOf(showDashboard(<KeysPanel />, { answers }))).toBe('API keys Keys and usage Nightly 1,200 of 10,000 requests')
    expect(wordsOf(showDashboard(<KeysPanel />, { answers: { [KEYS]: [] } }))).toContain('Create an API key')
  })

  test('see their dataset requests with the outcome', () => {
    const request = { id: '1', slug: 'shop-prices', name: 'Shop prices', outcome: 'open', createdAt: '2026-10-03T08:00:00Z' } as const
    expect(wordsOf(showDashboard(<RequestsPanel requests={[request]} />))).toBe('Access requests Shop prices Oct 3, 2026 Requested')
    expect(showDashboard(<RequestsPanel requests={[]} />)).toBe('')
  })
})
