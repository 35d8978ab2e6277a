import { beforeEach, describe, expect, test } from 'vitest'
import { exportAccount } from '#app/account/settings/account-export.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startApp } from './app.ts'
import { bookingClient, guest, MONDAY } from './bookings.ts'
import { ada, forgetLimits, sampleEnquiries, sendEnquiry, sendForm } from './enquiries.ts'
import { makeHost, signIn } from './factories.ts'

const app = await startApp()
const staff = await signIn('staff')
beforeEach(forgetLimits)

const SITE = 'http://localhost:3000'
const someone = () => `${newId()}@example.com`
const contactOf = async (email: string) =>
  db.selectFrom('contacts').select(['reference', 'cameFrom']).where('email', '=', email).executeTakeFirstOrThrow()

const pages = { contact: '/contact', home: '/', landing: '/get-started', hire: '/hire-web-scraping-developer' } as const

describe('where an enquiry, a booking, a sign-up and a subscription came from is kept', () => {
  test.each(Object.entries(sampleEnquiries))(
    'without script, of the %s form: its page and the campaign in its address',
    async (form, given) => {
      const email = someone()
      const path = Object.entries(pages).find(([name]) => name === form)?.[1] ?? '/'
      const referer = `${SITE}${path}?utm_source=ads&UTM_Campaign=spring&ref=42&wish=call`
      const reply = await sendForm(app, path === '/' ? '/?index' : path, { ...given, email }, { referer })
      expect(reply.statusCode).toBe(303)
      expect((await contactOf(email)).cameFrom).toEqual({
        form,
        path,
        referrer: null,
        campaign: { utm_source: 'ads', utm_campaign: 'spring', ref: '42' },
      })
    },
  )

  test('with script also the site before; the record of the lead, its export and the person’s own export have it', async () => {
    const { user } = await signIn()
    const email = user.email ?? ''
    const page = `${SITE}/contact?utm_source=news&utm_medium=email`
    expect((await sendEnquiry(app, { ...ada, email, page, referrer: 'https://www.search.example/?q=our+secret' })).statusCode).toBe(201)
    const { reference, cameFrom } = await contactOf(email)
    const campaign = { utm_source: 'news', utm_medium: 'email' }
    expect(cameFrom).toEqual({ form: 'contact', path: '/contact', referrer: 'www.search.example', campaign })
    const lead = await app.inject({ url: `/api/leads/${reference}`, headers: staff.headers })
    expect(lead.json()).toMatchObject({ cameFrom: { referrer: 'www.search.example', campaign } })
    const { body } = await app.inject({ url: '/api/leads.csv', headers: staff.headers })
    expect(body.split('\r\n')[0]).toMatch(/"Form Page","Referrer","Campaign"$/)
    expect(body).toContain('"/contact","www.search.example","utm_medium=email, utm_source=news"')
    const own = JSON.parse((await Array.fromAsync(exportAccount(user.id))).join(''))
    expect(own.enquiries).toMatchObject([{ cameFrom: { referrer: 'www.search.example', campaign } }])
  })

  test('of a booked call: where the visitor chose the time', async () => {
    await makeHost()
    const call = bookingClient(app)
    const day = new Date(MONDAY.getTime() + 24 * 3_600_000).toISOString()
    const until = new Date(MONDAY.getTime() + 3 * 24 * 3_600_000).toISOString()
    const { slots } = (await call('GET', `/api/booking/slots?from=${day}&to=${until}`)).json()
    const { startsAt } = slots[0]
    const referer = `${SITE}/book?utm_source=card`
    const held = await call('POST', '/api/booking/holds', { startsAt }, { referer })
    expect(held.statusCode).toBe(201)
    const email = someone()
    const details = { ...guest, email, startsAt, holdId: held.json().id }
    expect((await call('POST', '/api/bookings', details, { referer: `${SITE}/book?zone=UTC` })).statusCode).toBe(201)
    const { cameFrom } = await db.selectFrom('bookings').select('cameFrom').where('email', '=', email).executeTakeFirstOrThrow()
    expect(cameFrom).toEqual({ form: 'book', path: '/book', referrer: null, campaign: { utm_source: 'card' } })
  })

  test('of a new account, by the page and by its script', async () => {
    const fields = {
      form: 'sign-up',
      firstName: 'Ada',
      lastName: 'Lovelace',
      password: 'a long way of saying it',
      confirmPassword: 'a long way of saying it',
    }
    const [byPage, byScript] = [someone(), someone()]
    const referer = `${SITE}/login?mode=sign-up&ref=partner`
    expect((await sendForm(app, '/login?mode=sign-up', { ...fields, email: byPage }, { referer })).statusCode).toBe(302)
    const signUp = await app.inject({
      method: 'POST',
      url: '/auth/v1/signup',
      headers: { referer, 'x-referrer': 'https://partner.example/tools', 'sec-fetch-site': 'same-origin' },
      payload: { email: byScript, password: fields.password },
    })
    expect(signUp.statusCode).toBe(200)
    const cameFromOf = async (email: string) =>
      (await db.selectFrom('users').select('cameFrom').where('email', '=', email).executeTakeFirstOrThrow()).cameFrom
    const known = { form: 'sign-up', path: '/login', campaign: { ref: 'partner' } }
    expect(await cameFromOf(byPage)).toEqual({ ...known, referrer: null })
    expect(await cameFromOf(byScript)).toEqual({ ...known, referrer: 'partner.example' })
    expect(signUp.body).not.toContain('partner')
  })

  test('of a newsletter subscription', async () => {
    const email = someone()
    const fields = { email, source: 'post', referrer: 'https://blog.example/links' }
    expect((await sendForm(app, '/newsletter', fields, { referer: `${SITE}/blog/prices?utm_source=feed` })).statusCode).toBe(303)
    const { cameFrom } = await db
      .selectFrom('newsletterSubscribers')
      .select('cameFrom')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(cameFrom).toEqual({ form: 'newsletter', path: '/blog/prices', referrer: 'blog.example', campaign: { utm_source: 'feed' } })
  })
})

describe('what a stranger says of it', () => {
  const cameFromOf = async (said: object, headers: Record<string, string> = {}) => {
    const email = someone()
    const { statusCode } = await sendEnquiry(app, { ...ada, email, ...said }, headers)
    return statusCode === 201 ? (await contactOf(email)).cameFrom : statusCode
  }
  const nothing = { form: 'contact', path: null, referrer: null, campaign: {} }

  test('is cut, cleaned and bounded, and an enquiry never fails for it', async () => {
    const long = 'x'.repeat(5000)
    expect(await cameFromOf({ page: long, referrer: long })).toEqual(nothing)
    expect(await cameFromOf({ page: 'http://[', referrer: 'no address' })).toEqual(nothing)
    expect(await cameFromOf({ page: '', referrer: '' })).toEqual(nothing)
    const many = Array.from({ length: 40 }, (_, at) => `utm_${'abcdefghij'[at % 10]}${'z'.repeat(at % 7)}=${at}`).join('&')
    const found = await cameFromOf({ page: `/contact?utm_source=a%00b%0Ac${'y'.repeat(500)}&${many}` })
    expect(found).toMatchObject({ path: '/contact', campaign: { utm_source: `a b c${'y'.repeat(95)}` } })
    expect(Object.keys(found && typeof found === 'object' ? found.campaign : {})).toHaveLength(8)
  })

  test('of our own site is no referrer, and the page of another site is not ours', async () => {
    expect(await cameFromOf({ page: '/contact', referrer: `${SITE}/services` })).toEqual({ ...nothing, path: '/contact' })
    expect(await cameFromOf({}, { referer: 'https://elsewhere.example/form?utm_source=x' })).toEqual(nothing)
  })

  test('is text, or is refused by name', async () => {
    expect(await cameFromOf({ page: 7 })).toBe(422)
  })
})
