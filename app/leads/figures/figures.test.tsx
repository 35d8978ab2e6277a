import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { promises } from '#app/leads/lead/promises.ts'
import { detail, listed, showDashboard, summary, wordsOf } from '#test/dashboard.tsx'
import { LeadRecord } from '#app/leads/record/lead-record.tsx'
import { EnquiriesChart } from './enquiries-chart.tsx'
import { describeTrend } from './enquiry-trend.ts'
import { Insights } from './insights.tsx'
import { SalesDashboard, ServiceTypes, WaitingNotice } from './sales-dashboard.tsx'
import { LeadValues, StatCards } from './stat-cards.tsx'

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-10-05T12:00:00Z'), toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

const words = (...call: Parameters<typeof showDashboard>) => wordsOf(showDashboard(...call))

describe('the sales dashboard', () => {
  test('says Sales Dashboard and Loading dashboard... until its figures are there', () => {
    const html = showDashboard(<SalesDashboard />)
    expect(html).toMatch(/<h1[^>]*>Sales Dashboard<\/h1>/)
    expect(wordsOf(html)).toContain('Loading dashboard...')
    expect(words(<SalesDashboard />, { answers: { '/api/leads/summary': summary } })).not.toContain('Loading dashboard...')
  })

  test('has its lists as tabs, Contact Inquiries first, each with its number', () => {
    const html = showDashboard(<SalesDashboard />, { answers: { '/api/leads/summary': summary } })
    const tabs = [...html.matchAll(/<button[^>]*role="tab".*?<\/button>/gs)].map(([tab]) => tab)
    expect(tabs.map(wordsOf)).toEqual(['Contact Inquiries 1200', 'Consultation Requests 12', 'Quarantine 4'])
    expect(tabs.map((tab) => tab.includes('aria-selected="true"'))).toEqual([true, false, false])
  })
})

describe('the four figures', () => {
  test('are contacts, consultations, both together, and the rate of conversion with its definition', () => {
    expect(words(<StatCards summary={summary} days={30} />)).toBe(
      'Total Contacts 1,200 Lead inquiries Consultations 12 Booking requests Total Leads 1,212 Contacts and consultations ' +
        'Conversion Rate 1% Consultations per 100 contacts, all time',
    )
  })

  test('are all 0 before the first lead', () => {
    const none = { ...summary, contacts: 0, consultations: 0, total: 0, conversionRate: 0, serviceTypes: [] }
    expect(words(<StatCards summary={none} days={30} />)).toBe(
      'Total Contacts 0 Lead inquiries Consultations 0 Booking requests Total Leads 0 Contacts and consultations ' +
        'Conversion Rate 0% Consultations per 100 contacts, all time',
    )
    expect(words(<SalesDashboard />, { answers: { '/api/leads/summary': none } })).toContain('Service Type Distribution')
  })

  test('have the trend of the period, against the one before', () => {
    const insights = {
      days: 7,
      contacts: { count: 12, before: 9, line: [1, 2, 3, 1, 2, 2, 1] },
      consultations: { count: 2, before: 3, line: [0, 0, 1, 0, 0, 1, 0] },
      funnel: { received: 12, replied: 9, proposed: 3, consulted: 2 },
      replies: { inTime: 6, total: 9, medianMinutes: 95, times: [{ name: 'Within 30 min', count: 6 }], open: 3 },
      sources: [{ name: 'home', count: 12 }],
      countries: [{ name: 'DE', count: 12 }],
    }
    const answers = { '/api/leads/insights?days=7': insights }
    const cards = words(<StatCards summary={summary} days={7} />, { answers })
    expect(cards).toContain('Total Contacts 1,200 12 in 7 days, +3 against the 7 days before')
    expect(cards).toContain('Consultations 12 2 in 7 days, −1 against the 7 days before')
    expect(words(<Insights days={7} />, { answers })).toBe(
      'Funnel Enquiries of the last 7 days Enquiries 12 · 100% Replied 9 · 75% Proposal sent 3 · 25% Call agreed 2 · 17% ' +
        'Reply time 67% within 2 h, median 1.6 h, 3 open Within 30 min 6 Sources Home page 12 Countries Germany 12',
    )
  })
})

describe('service types', () => {
  test('are counted, and each leads to those who asked, Not specified to those who chose none', () => {
    const html = showDashboard(<ServiceTypes counts={summary.serviceTypes} />)
    expect(wordsOf(html)).toBe('Service Type Distribution Price Monitoring 800 Not specified 400')
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual([
      '/dashboard?service=Price%20Monitoring',
      '/dashboard?service=Not%20specified',
    ])
  })

  test('are drawn against the one that is asked for most, and the drawing is hidden from who hears the page', () => {
    const html = showDashboard(<ServiceTypes counts={summary.serviceTypes} />)
    expect([...html.matchAll(/style="width:([\d.]+%)"/g)].map(([, width]) => width)).toEqual(['100%', '50%'])
    expect(html.match(/<span aria-hidden="true"/g)).toHaveLength(2)
  })

  test('say what will be there while there are none', () => {
    expect(words(<ServiceTypes counts={[]} />)).toContain('counted here from the first enquiry')
  })
})

describe('the chart of enquiries', () => {
  test('is told in words and as a table, and its drawing is hidden from who hears the page', () => {
    const html = showDashboard(<EnquiriesChart days={summary.enquiriesPerDay} />)
    expect(html).toContain(`<figcaption class="text-small text-muted">${describeTrend(summary.enquiriesPerDay)}</figcaption>`)
    expect(wordsOf(html)).toContain('Week Enquiries Oct 3 to Oct 4 7')
    expect(html).toMatch(/aria-hidden="true"[^>]*>(?:(?!<figcaption).)*<svg/s)
  })

  test('draws one bar for each day, the tallest for the busiest', () => {
    const html = showDashboard(<EnquiriesChart days={summary.enquiriesPerDay} />)
    const heights = [...html.matchAll(/<rect [^>]*height="([\d.]+)" data-bar=""/g)].map(([, height]) => Number(height))
    expect(heights).toHaveLength(2)
    expect((heights[0] ?? 0) / (heights[1] ?? 1)).toBeCloseTo(2 / 5)
  })
})

describe('overdue enquiries', () => {
  const waiting = (overAcknowledgement: number, overResponse: number) => ({ total: 9, overAcknowledgement, overResponse })

  test('is pointed out once someone waits longer than the site promises', () => {
    expect(showDashboard(<WaitingNotice waiting={waiting(0, 0)} />)).toBe('')
    expect(words(<WaitingNotice waiting={waiting(1, 0)} />)).toBe(
      `1 enquiry is past the ${promises.readHours}-hour reply target . View overdue`,
    )
    expect(words(<WaitingNotice waiting={waiting(5, 2)} />)).toContain(
      `5 enquiries are past the ${promises.readHours}-hour reply target (2 past ${promises.answerHours} hours).`,
    )
  })

  test('is not offered to whom already looks at them', () => {
    expect(words(<WaitingNotice waiting={waiting(1, 0)} />, { at: '/dashboard?filter=waiting' })).not.toContain('View overdue')
  })
})

describe('the value of the leads', () => {
  test('is that of the open ones, the same by the probability of their stages, and that of the won ones', () => {
    const stage = (id: number, outcome: 'open' | 'won' | 'lost', probability: number, valueCents: number) => ({
      id,
      outcome,
      probability,
      name: `Stage ${id}`,
      reached: 1,
      medianDays: null,
      now: { count: 1, valueCents },
    })
    const stages = [
      stage(1, 'open', 10, 100_000),
      stage(2, 'open', 50, 200_000),
      stage(3, 'won', 100, 400_000),
      stage(4, 'lost', 0, 800_000),
    ]
    const answers = { '/api/leads/funnel?days=30': { days: 30, stages } }
    expect(words(<LeadValues days={30} />, { answers })).toBe('Open value $3,000 Weighted by probability $1,100 Won $4,000')
  })
})

describe('one enquiry', () => {
  test('says what is owed by when, what is late, and what ended the clocks', () => {
    const deadlines = { acknowledgement: '2026-10-05T11:30:00Z', response: '2026-10-06T09:30:00Z', proposal: '2026-10-06T09:30:00Z' }
    const fresh = { ...detail, promisedFrom: '2026-10-05T09:30:00Z', deadlines }
    expect(words(<LeadRecord lead={fresh} />)).toContain(
      'Acknowledgement within 2 hours Was due Oct 5, 2026, 11:30 Mark as answered ' +
        'Proposal within 24 hours Due Oct 6, 2026, 09:30 Proposal sent Not needed',
    )
    const settled = { ...fresh, answeredAt: '2026-10-05T09:40:00Z', proposal: 'sent' as const, proposalSettledAt: '2026-10-05T10:00:00Z' }
    expect(words(<LeadRecord lead={settled} />)).toContain(
      'Answered Oct 5, 2026, 09:40 Undo Proposal within 24 hours Sent Oct 5, 2026, 10:00 Reopen',
    )
  })

  test('is shown with all that is known, choices as people read them', () => {
    const text = words(<LeadRecord lead={detail} />)
    for (const part of ['Company Analytical Engines', 'Country United Kingdom', 'Service type Price Monitoring', 'Source Home page']) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('1k-5k')
    expect(text).toMatch(/Budget .*5,000/)
  })

  test('tells how long its sender waits, and leaves out what was not said', () => {
    const silent = { ...detail, company: null, serviceType: null, budget: null, timeframe: null, promisedFrom: '2026-10-05T09:00:00Z' }
    const text = words(<LeadRecord lead={silent} />)
    expect(text).toMatch(/^Waiting 3 h /)
    expect(text).toContain('Company Add')
    expect(text).toContain('Service type Add')
    expect(text).not.toMatch(/Budget|Timeframe/)
  })

  test('in quarantine says why, and not that anyone waits', () => {
    const held = { ...detail, quarantinedAt: listed.createdAt, spamReasons: ['hidden_field', 'markup'] }
    const text = words(<LeadRecord lead={held} />)
    expect(text).toMatch(/^In quarantine hidden field markup /)
    expect(text).not.toContain('Waiting')
  })

  test('is answered by a mail that names its number, and lists what else the person wrote', () => {
    const other = { id: 'other-id', reference: 'W-222222', problem: 'An earlier question', stageId: 1, createdAt: '2026-09-01T00:00:00Z' }
    const html = showDashboard(<LeadRecord lead={{ ...detail, otherLeads: [other] }} />)
    expect(html).toContain('href="mailto:ada@analytical.example?subject=Your%20enquiry%20W-7K3M9Q"')
    expect(html).toContain('aria-label="Other leads of this person"')
    expect(html).toContain('href="/leads/W-222222"')
  })

  test('lists the calls with their outcome, each with a link to the calendar', () => {
    const callAt = (id: string, startsAt: string, status: 'booked' | 'no_show') => ({ id, startsAt, endsAt: startsAt, status })
    const calls = [callAt('call-ahead', '2099-12-01T09:00:00Z', 'booked'), callAt('call-missed', '2026-10-03T09:00:00Z', 'no_show')]
    const html = showDashboard(<LeadRecord lead={{ ...detail, calls }} />)
    expect(wordsOf(html)).toMatch(/Calls Dec 1, 2099, [^B]* Booked Oct 3, 2026, .* No-show/)
    expect(html).toContain('href="/admin/calendar?call=call-missed"')
    expect(words(<LeadRecord lead={detail} />)).not.toContain('Calls')
  })
})
