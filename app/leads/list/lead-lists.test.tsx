import { describe, expect, test } from 'vitest'
import { cellsOf, consultation, listed, pageOf, showDashboard, summary, wordsOf } from '#test/dashboard.tsx'
import { ConsultationList } from './consultation-list.tsx'
import { ContactList } from './contact-list.tsx'
import { QuarantineList } from './quarantine-list.tsx'

const CONTACTS = '/api/contacts?limit=25'
const CONSULTATIONS = '/api/consultations?limit=25'

const headsOf = (html: string) => [...html.matchAll(/<th[ >].*?<\/th>/gs)].map(([head]) => wordsOf(head))
const contacts = (answer: unknown, at?: string, url = CONTACTS) =>
  showDashboard(<ContactList summary={summary} />, { ...(at && { at }), answers: { [url]: answer } })

describe('contact inquiries', () => {
  test('have the columns Name, Email, Company, Service Type, Message and Date', () => {
    const html = contacts(pageOf([listed]))
    expect(headsOf(html)).toEqual(['Name', 'Email', 'Company', 'Service Type', 'Message', 'Date'])
    const [[name, ...cells] = []] = cellsOf(html)
    expect(name).toMatch(/^Ada Lovelace /)
    expect(cells).toEqual([listed.email, listed.company, listed.serviceType, listed.message, 'Oct 3, 2026'])
  })

  test.each([null, ''])('show "-" for the company %j, and Not specified for a service type that was not chosen', (company) => {
    const [[, , shown, service] = []] = cellsOf(contacts(pageOf([{ ...listed, company, serviceType: null }])))
    expect([shown, service]).toEqual(['-', 'Not specified'])
  })

  test('give what a stranger typed as text', () => {
    const html = contacts(pageOf([{ ...listed, name: '<img src=x onerror=alert(1)>', message: '"><script>alert(1)</script>' }]))
    expect(html).not.toMatch(/<img|<script/)
    expect(html).toContain('&lt;img src=x')
  })

  test('open the whole enquiry by a link that keeps the search', () => {
    const html = contacts(pageOf([listed]), '/dashboard?q=prices', '/api/contacts?q=prices&limit=25')
    expect(html).toContain(`href="/dashboard?q=prices&amp;contact=${listed.id}"`)
  })

  test('say by what they are ordered', () => {
    const byName = contacts(pageOf([listed]), '/dashboard?sort=name', '/api/contacts?sort=name&limit=25')
    expect(byName).toMatch(/<th[^>]*aria-sort="ascending"[^>]*><a[^>]*sort=-name"[^>]*>Name/)
    expect(byName.match(/aria-sort=/g)).toHaveLength(1)
  })

  test('are exported by a link that names the file’s kind and what is done to its cells', () => {
    const html = contacts(pageOf([listed]), '/dashboard?q=prices', '/api/contacts?q=prices&limit=25')
    expect(html).toMatch(/<a(?=[^>]*href="\/api\/contacts\.csv\?q=prices")(?=[^>]*title="[^"]*apostrophe)[^>]*>.*?Export CSV<\/a>/s)
  })
})

describe('a list says in words', () => {
  test('that it is on its way', () => {
    expect(wordsOf(showDashboard(<ContactList summary={summary} />))).toContain('Loading...')
  })

  test('how many enquiries wait in quarantine, with the link', () => {
    const empty = showDashboard(<ContactList summary={{ ...summary, contacts: 0, quarantined: 2 }} />, {
      answers: { [CONTACTS]: pageOf([]) },
    })
    expect(wordsOf(empty)).toContain('2 enquiries wait in Quarantine')
    expect(empty).toContain('href="/dashboard?tab=quarantine"')
  })

  test('that there are no enquiries yet, and that nothing matches a search', () => {
    expect(wordsOf(contacts(pageOf([])))).toContain('Nothing here yet New enquiries from the site appear here immediately.')
    const noMatch = wordsOf(contacts(pageOf([]), '/dashboard?q=zebra', '/api/contacts?q=zebra&limit=25'))
    expect(noMatch).toContain('No matches Try fewer words.')
    expect(noMatch).toContain('Show all')
  })

  test('how many rows there are, exactly or about', () => {
    expect(wordsOf(contacts(pageOf([listed])))).toContain(' 1 row')
    expect(wordsOf(contacts(pageOf([listed], { total: 2345 })))).toContain('2,345 rows')
    expect(wordsOf(contacts(pageOf([listed], { total: 10_000, isTotalExact: false })))).toContain('About 10,000 rows')
  })

  test('where there is more: links to the pages there are', () => {
    const html = contacts(pageOf([listed], { nextCursor: 'abc' }))
    expect(html).toMatch(/<a(?=[^>]*href="\/dashboard\?cursor=abc")(?=[^>]*rel="next")[^>]*>Next<\/a>/)
    expect(contacts(pageOf([listed]))).not.toMatch(/Previous|>Next</)
  })

  test('which service type was chosen, with the way back to all', () => {
    const html = contacts(pageOf([]), '/dashboard?service=Not+specified', '/api/contacts?service=Not+specified&limit=25')
    expect(html).toContain('<option value="Not specified" selected="">Not specified</option>')
    expect(wordsOf(html)).toContain('No matches')
    expect(wordsOf(html)).toContain('Show all')
  })
})

describe('consultation requests', () => {
  const consultations = (items: (typeof consultation)[]) =>
    showDashboard(<ConsultationList />, { answers: { [CONSULTATIONS]: pageOf(items) } })

  test('have the columns Name, Email, Company, Phone, Project Description and Date', () => {
    const html = consultations([consultation])
    expect(headsOf(html)).toEqual(['Name', 'Email', 'Company', 'Phone', 'Project Description', 'Date'])
    const [[name, ...cells] = []] = cellsOf(html)
    expect(name).toMatch(/^Charles Babbage /)
    expect(cells).toEqual([consultation.email, '-', '+44 20 7946 0000', consultation.projectDescription, 'Oct 4, 2026'])
    expect(html).toContain('href="mailto:charles@analytical.example"')
  })

  test('show "-" where no telephone number was left', () => {
    expect(cellsOf(consultations([{ ...consultation, phone: null }]))[0]?.[3]).toBe('-')
  })

  test('say how the first one comes about while there are none', () => {
    expect(wordsOf(consultations([]))).toContain('Open an enquiry and click Convert to consultation')
  })
})

describe('the quarantine', () => {
  const held = {
    ...listed,
    form: 'contact',
    country: 'France',
    problem: 'Prices',
    spamScore: 12,
    spamReasons: ['hidden_field', 'too_fast'],
  }
  const quarantine = (answer: unknown, at?: string, url = '/api/contacts/quarantine?limit=51') =>
    showDashboard(<QuarantineList />, { ...(at && { at }), answers: { [url]: answer } })

  test('names its reasons as words, and releases by one press', () => {
    const html = quarantine([held])
    const [, name, ...rest] = cellsOf(html)[0] ?? []
    expect(name).toMatch(/^Ada Lovelace /)
    expect(rest).toEqual([held.message, 'hidden field too fast', held.email, 'Oct 3, 2026', 'Release'])
    expect(html).toContain('aria-label="Select Ada Lovelace"')
    expect(html).not.toContain('Older')
  })

  test('leads on from a full page', () => {
    const full = Array.from({ length: 51 }, (_, at) => ({ ...held, id: `id-${at}` }))
    expect(quarantine(full, '/dashboard?tab=quarantine')).toContain('href="/dashboard?tab=quarantine&amp;cursor=id-49"')
  })

  test('says that nothing is ever deleted', () => {
    expect(wordsOf(quarantine([]))).toContain('None is ever deleted')
  })
})
