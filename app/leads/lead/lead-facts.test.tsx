import { beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'csv-parse/sync'
import { renderEmail } from '#app/mail/render.server.tsx'
import { startEndpoints } from '#test/app.ts'
import { showDashboard, wordsOf } from '#test/dashboard.tsx'
import { emailsTo } from '#test/emails.ts'
import { forgetLimits, sendEnquiry } from '#test/enquiries.ts'
import { makeContact, signIn } from '#test/factories.ts'
import { enquiryForms } from './contact.ts'
import { LeadRecord } from '#app/leads/record/lead-record.tsx'
import { emptyPipeline, leadColumns } from './desk.ts'
import { enquiryFactNames, enquiryLines, factOf, headOf, staffFactNames, storedEnquiry } from './lead-facts.ts'
import { FactList } from '#app/leads/record/fact-list.tsx'
import { leadDetail } from '#app/leads/record/timeline.ts'
import { leadTableColumns } from '#app/leads/list/lead-look.tsx'

const app = await startEndpoints()
const staff = await signIn('staff')
beforeEach(forgetLimits)

const formFields = Object.keys(enquiryForms.home.shape)
const choices = { problem: 'Price Monitoring', budget: '1k-5k', timeframe: 'asap' }
const others: Partial<Record<string, string>> = {
  problem: 'Data Extraction',
  budget: '5k-10k',
  timeframe: 'flexible',
  email: 'another@analytical.example',
}

/** Every field of the home form, with a value of its own. */
function everyField(email: string): Record<string, string> {
  const texts = Object.fromEntries(formFields.map((name) => [name, `Something for ${name}`]))
  return { ...texts, ...choices, email, form: 'home' }
}

test('every field of an enquiry reaches the staff email, the panel, its column of the CSV file and the person’s own data', async () => {
  const customer = await signIn('customer')
  const sent = everyField(customer.user.email ?? '')
  const { id, reference } = (await sendEnquiry(app, sent)).json()
  const detail = leadDetail.parse((await app.inject({ url: `/api/leads/${id}`, headers: staff.headers })).json())
  const fields = storedEnquiry.parse(detail)
  expect(fields).toMatchObject(sent)
  expect(Object.values(fields).every(Boolean)).toBe(true)
  const read = [fields.message, fields.email, ...enquiryLines(fields).map(({ label, value }) => `${label} ${value}`)]

  const email = (await emailsTo('hello@localhost')).find(({ kind, data }) => kind === 'new-lead' && data.reference === reference)
  const { text: inEmail } = await renderEmail('new-lead', JSON.stringify(email?.data))
  const emailText = inEmail.replaceAll(/\s+/g, ' ')
  // An address may break after its signs.
  const panel = wordsOf(showDashboard(<LeadRecord lead={detail} />).replaceAll('<wbr/>', ''))
  for (const text of read) expect(emailText).toContain(text)
  // There the problem is the heading of the message.
  for (const text of read) expect(panel).toContain(text.replace(/^Problem /, ''))

  const csv = (await app.inject({ url: `/api/contacts.csv?q=${encodeURIComponent(fields.email)}`, headers: staff.headers })).body
  const [line] = parse<Record<string, string>>(csv, { columns: true })
  const columns = enquiryFactNames.flatMap((name) => (factOf(name).csvHead ? [[factOf(name).csvHead, fields[name]]] : []))
  expect(line).toMatchObject(Object.fromEntries(columns))

  const { enquiries } = (await app.inject({ url: '/api/account/data', headers: customer.headers })).json()
  expect(enquiries).toMatchObject([fields])
})

const staffTexts = staffFactNames.filter((name) => factOf(name).most !== undefined)

test.each(staffTexts)(
  'what staff write as %s is in the record, the list, its column, the file and the filter, and can be imported',
  async (name) => {
    const { label, column, import: imported } = factOf(name)
    const [value, get] = [`Note about ${name}`, async (url: string) => app.inject({ url, headers: staff.headers })]
    const { reference } = await makeContact()
    const changed = await app.inject({
      method: 'PATCH',
      url: `/api/leads/${reference}`,
      headers: staff.headers,
      payload: { changes: { [name]: { from: null, to: value } } },
    })
    const detail = leadDetail.parse(changed.json())
    expect(wordsOf(showDashboard(<FactList lead={detail} />))).toContain(`${label} ${value}`)

    const [lead] = (await get('/api/leads?limit=1')).json().leads
    expect(lead).toMatchObject({ reference, [name]: value })
    const [key = name] = column ? [column.key] : []
    const [, cell] = leadTableColumns(leadColumns.parse({ columns: [key] }).columns, emptyPipeline)
    expect(cell?.head).toBe(label)
    expect(wordsOf(showDashboard(cell?.view(lead)))).toBe(value)
    const [line] = parse<Record<string, string>>((await get('/api/leads.csv')).body, { columns: true })
    expect(line).toMatchObject({ Reference: reference, [headOf(factOf(name))]: value })

    if (!imported) return
    const file = { title: 'x', text: `Email,${label}\nimported-${name.toLowerCase()}@example.com,From a file`, known: 'add' }
    expect((await app.inject({ method: 'POST', url: '/api/leads/import', headers: staff.headers, payload: file })).statusCode).toBe(200)
    expect((await get(`/api/leads?email=imported-${name.toLowerCase()}`)).json().leads).toMatchObject([{ [name]: 'From a file' }])
  },
)

const filteredTexts = staffTexts.flatMap((name) => factOf(name).filter ?? []).map((filter) => [filter.key, filter] as const)

test.each(filteredTexts)('leads are found by %s, and only those', async (key, { match }) => {
  const name = staffTexts.find((each) => factOf(each).filter?.key === key)
  const { reference } = await makeContact()
  const changes = { [String(name)]: { from: null, to: 'Words of a fact' } }
  const { headers } = staff
  expect((await app.inject({ method: 'PATCH', url: `/api/leads/${reference}`, headers, payload: { changes } })).statusCode).toBe(200)
  const found = async (text: string) => (await app.inject({ url: `/api/leads?${key}=${encodeURIComponent(text)}`, headers })).json().leads
  expect(await found(match === 'part' ? 'rds of a' : 'Words of a fact')).toMatchObject([{ reference }])
  expect(await found('something else')).toEqual([])
})

describe('an attempt is repeated', () => {
  test('with the same fields: it gets the receipt of the first', async () => {
    const [body, headers] = [everyField('ada@analytical.example'), { 'idempotency-key': 'same-fields' }]
    const first = (await sendEnquiry(app, body, headers)).json()
    expect((await sendEnquiry(app, { ...body, email: 'Ada@analytical.example' }, headers)).json()).toEqual(first)
  })

  test.each(formFields)('with another %s: it is refused, because that is another enquiry', async (name) => {
    const [body, headers] = [everyField('ada@analytical.example'), { 'idempotency-key': `other-${name}` }]
    await sendEnquiry(app, body, headers)
    const changed = others[name] ?? 'Something else altogether'
    const { statusCode, body: text } = await sendEnquiry(app, { ...body, [name]: changed }, headers)
    expect([statusCode, text]).toEqual([422, expect.stringContaining('idempotency_key_reused')])
  })
})
