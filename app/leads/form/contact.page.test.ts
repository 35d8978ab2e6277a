import { beforeEach, describe, expect, test } from 'vitest'
import { callToken } from '#app/leads/lead/call-link.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { identity } from '#app/content/identity.ts'
import { startApp } from '#test/app.ts'
import { ada, forgetLimits, sendForm } from '#test/enquiries.ts'
import { twoAtOnce } from '#test/two-at-once.ts'

const app = await startApp()
beforeEach(forgetLimits)

const countEnquiries = async () =>
  (
    await db
      .selectFrom('contacts')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

/** The visible text of a document. */
const textOf = (html: string) =>
  html
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<!--.*?-->/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ')

describe('the contact page', () => {
  test('has the short form, with country as free text', async () => {
    const { body, statusCode } = await app.inject('/contact')

    expect(statusCode).toBe(200)
    for (const name of ['name', 'email', 'country', 'problem', 'message'])
      expect(body).toMatch(new RegExp(`<(input|textarea)[^>]* name="${name}"`))
    expect(body).not.toMatch(/<select/)
    expect(body).toMatch(
      /<form[^>]* method="post"[^>]* action="\/contact#enquiry"|<form[^>]* action="\/contact#enquiry"[^>]* method="post"/,
    )
  })

  test('links to email, the messaging app, a call, a professional and a social network, and lists reasons', async () => {
    const { body } = await app.inject('/contact')

    expect(body).toMatch(/href="mailto:[^"]+@/)
    const main = body.slice(body.indexOf('<main'), body.indexOf('</main>'))
    const { messagingApp, professionalNetwork, microblog } = identity
    for (const { url, label } of [messagingApp, professionalNetwork, microblog]) {
      expect(main).toMatch(new RegExp(`<a href="${url}"[^>]*>${label}</a>`))
    }
    expect(main).not.toContain('href="/contact')
    expect(textOf(body)).toMatch(/Why people choose us .*500\+ .*99%\+ .*6\+ years/)
  })

  test('says no name twice in a row of its contacts, and its deadlines as spans, not as times of day', async () => {
    const { body } = await app.inject('/contact')
    const text = textOf(body.slice(body.indexOf('<main'), body.indexOf('</main>')))

    expect(text.length).toBeGreaterThan(500)
    expect(text).not.toMatch(/\b(\w+) [–-] \1\b/)
    expect(text).not.toMatch(/\b\d\d:\d\d \/ \d\d:\d\d\b/)
  })

  test('is the same for everyone: no cookie, no inline script, no style attribute', async () => {
    const reply = await app.inject('/contact')

    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(reply.headers['cache-control']).not.toContain('no-store')
    expect(reply.body).not.toMatch(/<script(?![^>]*(src=|type="application\/ld\+json"))|\sstyle="/)
    expect(reply.body).toBe((await app.inject('/contact')).body)
  })
})

describe('without JavaScript', () => {
  test('a valid form is stored, and its page shows the reference', async () => {
    const reply = await sendForm(app, '/contact', ada)
    expect(reply.statusCode).toBe(303)
    expect(reply.headers.location).toMatch(/^\/contact\?sent=W-[\dA-Z]{6}&enquiry=[\w.-]+#sent$/)

    const { reference } = await db.selectFrom('contacts').select('reference').where('email', '=', ada.email).executeTakeFirstOrThrow()
    const { body } = await app.inject(`${reply.headers.location}`)
    expect(textOf(body)).toContain('Message Sent Successfully! Thank you for your inquiry. We will get back to you within 24 hours.')
    // This holds for quarantined enquiries too: they send no email, and their sender does not learn it.
    expect(textOf(body)).toMatch(new RegExp(`Your reference number is ${reference} ?\\. Quote it if you email us about this\\.`))
  })

  test('the confirmation has what was sent, when we answer, the number, and a call about it; nothing keeps the page', async () => {
    const email = 'summary@analytical.example'
    const { headers } = await sendForm(app, '/contact', {
      ...ada,
      email,
      message: `${'Forty shops, twelve thousand prices. '.repeat(20)}The end.`,
    })
    const { id } = await db.selectFrom('contacts').select('id').where('email', '=', email).executeTakeFirstOrThrow()

    const page = await app.inject(`${headers.location}`)
    const [panel] = /<div id="sent".*?<div data-island/s.exec(page.body) ?? ['']
    const words = textOf(panel)
    expect(words).toContain(`Details sent Request ${ada.problem} Message Forty shops, twelve thousand prices.`)
    expect(words).not.toContain('The end.')
    expect(words).toContain(`We reply to ${email}`)
    expect(words).toContain('When we answer Within 2 hours A person confirms that they have read it. Within 24 hours You get a proposal')
    expect(words).toMatch(/Your reference number is W-/)
    expect(panel).toContain(`href="/book?enquiry=${callToken(id)}"`)
    expect(words).toContain('Book a free 30-minute call')
    expect(page.headers['cache-control']).toBe('no-store')
  })

  test('nobody else sees what was sent: neither by its number, nor with the signature of another enquiry', async () => {
    const sent = new URLSearchParams((await sendForm(app, '/contact', ada)).headers.location?.split(/[?#]/)[1])
    const other = (await sendForm(app, '/contact', { ...ada, email: 'other@analytical.example' })).headers.location
    const foreign = new URLSearchParams(other?.split(/[?#]/)[1]).get('enquiry') ?? ''

    for (const enquiry of ['', 'x.y', foreign, `${sent.get('enquiry')?.slice(0, -1)}_`]) {
      const { body } = await app.inject(`/contact?${new URLSearchParams({ sent: sent.get('sent') ?? '', enquiry })}`)
      expect(textOf(body)).toContain('Message Sent Successfully!')
      expect(textOf(body)).not.toContain(ada.email)
      expect(textOf(body)).not.toContain('Details sent')
    }
  })

  test('a missing value is an error at its field and at the top, and the typed values stay', async () => {
    const before = await countEnquiries()
    const reply = await sendForm(app, '/contact', { ...ada, country: ' ', message: 'short' })

    expect(reply.statusCode).toBe(422)
    expect(textOf(reply.body)).toContain('Please select your country Message must be at least 10 characters')
    expect(reply.body).toMatch(/<a href="#field-country"/)
    expect(reply.body).toMatch(/<input[^>]*aria-describedby="field-country-error"[^>]*aria-invalid="true"/)
    expect(reply.body).toMatch(/<input[^>]*name="name"[^>]*value="Ada Lovelace"|<input[^>]*value="Ada Lovelace"[^>]*name="name"/)
    expect(reply.body).toMatch(/<textarea[^>]*>short<\/textarea>/)
    expect(await countEnquiries()).toBe(before)
  })

  test('after sixty in ten minutes the page says when to try again, and keeps the typed text', async () => {
    await twoAtOnce(60, () => sendForm(app, '/contact', { ...ada, message: 'short' }))
    const before = await countEnquiries()
    const reply = await sendForm(app, '/contact', ada)

    expect(reply.statusCode).toBe(429)
    expect(reply.headers['content-type']).toContain('text/html')
    expect(textOf(reply.body)).toContain('That was too often. Please try again in 10 minutes.')
    expect(reply.body).toMatch(
      /<input[^>]*name="email"[^>]*value="ada@analytical.example"|<input[^>]*value="ada@analytical.example"[^>]*name="email"/,
    )
    expect(textOf(reply.body)).toContain(ada.message)
    expect(await countEnquiries()).toBe(before)
  })

  test('pressing twice makes one enquiry', async () => {
    const twice = { ...ada, email: 'eager@analytical.example' }
    const [one, other] = await Promise.all([sendForm(app, '/contact', twice), sendForm(app, '/contact', twice)])

    expect(one.headers.location).toBe(other.headers.location)
    const rows = await db.selectFrom('contacts').select('id').where('email', '=', twice.email).execute()
    expect(rows).toHaveLength(1)
  })

  test('clean words arrive without a token, a doubtful form waits for staff and gets the same answer', async () => {
    const reply = await sendForm(app, '/contact', { ...ada, email: 'bot@spam.example', homepage: 'https://spam.example' })

    expect(reply.statusCode).toBe(303)
    const rows = await db.selectFrom('contacts').selectAll().where('email', '=', 'bot@spam.example').execute()
    expect(rows).toMatchObject([{ spamReasons: ['hidden_field'], quarantinedAt: expect.any(Date) }])
  })
})

describe('against abuse', () => {
  test('a form of another site is refused', async () => {
    const reply = await sendForm(app, '/contact', ada, { origin: 'https://evil.example' })

    expect(reply.statusCode).toBe(403)
  })

  test('a body that is no form is refused', async () => {
    const reply = await sendForm(app, '/contact', ada, { 'content-type': 'multipart/form-data; boundary=x' })

    expect(reply.statusCode).toBe(415)
  })

  test('a number that is none is not repeated by the page', async () => {
    const { body } = await app.inject('/contact?sent=Call+0900+12345')

    expect(body).not.toContain('0900')
  })

  test('markup in a field comes back as words', async () => {
    const reply = await sendForm(app, '/contact', { ...ada, name: '"><script>alert(1)</script>', email: 'nobody' })

    expect(reply.statusCode).toBe(422)
    expect(reply.body).not.toContain('<script>alert')
  })
})
