import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { VISITOR_COOKIE } from '#app/booking/visitor.server.ts'
import { FLOW_COOKIE } from '#app/auth/endpoints/flow-cookie.server.ts'
import { ORGANIZATION_COOKIE } from '#app/organizations/organization/membership.server.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE, SIGN_UP_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { GRACE_DAYS } from '#app/account/deletion/deletion.ts'
import { EMAIL_JOB } from '#app/mail/outbox.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { terms } from '#app/content/terms.ts'
import { startApp } from '#test/app.ts'
import { saveBilling } from '#test/invoices.ts'
import { readPage, textOf } from '#test/read-page.ts'
import { LegalChanges } from './legal-changes.tsx'
import { legalDocuments } from '#app/content/legal.ts'
import { jobOf } from '#test/job.ts'

const app = await startApp()

test.each(Object.entries(legalDocuments))('/%s shows when it was last updated, and a table of its contents', async (name, { title }) => {
  const page = await readPage(app, `/${name}`)

  expect(page.status).toBe(200)
  expect(page.main).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`))
  expect(page.text).toContain('Last updated: December 21, 2024')
  const sections = [...page.main.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => `#${id}`)
  expect(sections.length).toBeGreaterThan(5)
  expect(page.links.slice(0, sections.length)).toEqual(sections)
})

test('the terms state deposit, final payment, refunds and the commitment to accuracy', async () => {
  const { text } = await readPage(app, '/terms-of-service')

  expect(text).toContain('A 50% deposit is due before a project starts.')
  expect(text).toContain('The final payment is due on completion')
  expect(text).toContain('Payments are non-refundable unless agreed otherwise.')
  expect(text).toContain('We commit to a data accuracy of 99%+.')
})

test('privacy and cookie policy state the retention of analytics data', async () => {
  for (const url of ['/privacy-policy', '/cookie-policy']) {
    expect((await readPage(app, url)).text).toContain('Analytics data is kept for about 26 months')
  }
})

test('the privacy policy describes the data of an account, its retention, and how to export or delete it', async () => {
  const { text } = await readPage(app, '/privacy-policy')
  const held = [
    'A picture of you',
    'A phone number',
    'A second step of your sign-in',
    'recovery codes',
    'connected identities',
    'wallet',
    'network address',
  ]
  for (const what of held) expect(text).toContain(what)
  expect(text).toContain(`It is erased ${GRACE_DAYS} days after that; until then you can keep it.`)
  expect(text).toContain(`Audit log ${terms.auditMonths} months.`)
  expect(text).toContain(`Emails that we have sent ${jobOf(EMAIL_JOB)?.keepDays} days`)
  expect(text).toContain('gives you everything that we hold about you as a file')
})

test('terms and privacy policy say how payments work, and for how long invoices are kept: as the settings say', async () => {
  const textsOf = async () => [(await readPage(app, '/terms-of-service')).text, (await readPage(app, '/privacy-policy')).text] as const
  const [agreed, privacy] = await textsOf()
  expect(agreed).toContain('by bank transfer to the account that the invoice names')
  for (const held of ['payment provider', 'VIES', 'VAT number', 'hash of the document', 'Your network address'])
    expect(privacy).toContain(held)
  expect(privacy).toContain(`Invoices and credit notes ${billing.keepYears} years after the year of their date`)
  await saveBilling({ keepYears: 8, paymentDays: 21 })
  const [after, privacyAfter] = await textsOf()
  expect(after).toContain('21 days after their date')
  expect(privacyAfter).toContain('Invoices and credit notes 8 years after the year of their date')
})

test('the cookie policy names every cookie that the product sets, and no other', async () => {
  const { main } = await readPage(app, '/cookie-policy')
  const named = [...main.matchAll(/<strong><code>([^<]+)<\/code>/g)].map(([, name]) => name)

  const set = ['theme', 'rail', ACCESS_COOKIE, REFRESH_COOKIE, ORGANIZATION_COOKIE, SIGN_UP_COOKIE, FLOW_COOKIE, VISITOR_COOKIE].map(
    (name) => name.replace('__Host-', ''),
  )
  expect(named.map((name) => name?.replace('__Host-', ''))).toEqual(set)
})

test('a later version lists its changes with their dates', () => {
  const changes = [
    { date: 'March 1, 2026', text: 'Names a new processor.' },
    { date: 'January 5, 2025', text: 'Shortens how long logs are kept.' },
  ]
  const html = renderToStaticMarkup(createElement(LegalChanges, { changes }))
  expect(textOf(html)).toBe('What changed March 1, 2026 Names a new processor. January 5, 2025 Shortens how long logs are kept.')
})
