import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readEmail } from '#app/mail/emails.server.ts'
import { EMAIL_JOB } from '#app/mail/outbox.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { emailsTo } from '#test/emails.ts'
import { forgetLimits, sendForm } from '#test/enquiries.ts'
import { eventually } from '#test/eventually.ts'
import { makePost, signIn } from '#test/factories.ts'
import { textOf } from '#test/read-page.ts'
import { NEWSLETTER_POSTS, newsletterPosts, subscriberPage, SUBSCRIBERS } from './newsletter.ts'
import { unsubscribeToken } from './subscriber.server.ts'

const app = await startApp()
const staff = await signIn('staff')
const author = await signIn('staff')
beforeEach(async () => {
  await forgetLimits()
  for (const table of ['newsletterDeliveries', 'newsletterIssues', 'newsletterSubscribers', 'jobs'] as const)
    await db.deleteFrom(table).execute()
})
afterEach(() => stopJobs())
afterAll(() => stopJobs())

const email = 'ada@analytical.example'
const subscribe = (fields: Record<string, string>) => sendForm(app, '/newsletter', fields)
const rows = () => db.selectFrom('newsletterSubscribers').selectAll().orderBy('id').execute()
const only = async () => {
  const [row, ...more] = await rows()
  if (!row || more.length > 0) throw new Error(`There is not one subscriber but ${more.length + 1}.`)
  return row
}
const tokenOf = async (address: string, kind = 'newsletter-confirm'): Promise<string> =>
  (await emailsTo(address)).findLast((found) => found.kind === kind)?.data.token
const confirm = async (token: string) => sendForm(app, `/newsletter/confirm?token=${token}`, {})
const headingOf = (html: string) => textOf(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '')
const makeSubscriber = (given: Partial<Parameters<typeof insertSubscriber>[0]> = {}) =>
  insertSubscriber({ email: `reader-${newId()}@example.com`, confirmedAt: new Date('2026-01-02T03:04:05Z'), ...given })
const insertSubscriber = (given: {
  email: string
  confirmedAt?: Date | null
  unsubscribedAt?: Date
  bouncedAt?: Date
  cameFrom?: string
}) => insert(db, 'newsletterSubscribers', { source: 'blog', ...given })
const get = async (url: string, headers: Record<string, string> = staff.headers) => app.inject({ url, headers })
const post = async (url: string, headers: Record<string, string> = staff.headers) => app.inject({ method: 'POST', url, headers })
const listed = async (query = '') => subscriberPage.parse((await get(`${SUBSCRIBERS}${query}`)).json())
const issueOf = async (id: string) =>
  newsletterPosts.parse((await get(NEWSLETTER_POSTS)).json()).posts.find((found) => found.id === id)?.issue

describe('happy', () => {
  test('a reader asks at the end of a post, confirms with a button, and is on the list', async () => {
    const { slug } = await makePost()
    for (const page of ['/blog', `/blog/${slug}`]) {
      const { body, headers } = await app.inject(page)
      expect([page, body]).toEqual([page, expect.stringMatching(/<form [^>]*action="\/newsletter" method="post"/)])
      expect(headers['cache-control']).not.toContain('no-store')
    }
    const asked = await subscribe({ email: ` ${email} `, source: 'post', homepage: '' })
    expect([asked.statusCode, asked.headers.location]).toEqual([303, '/newsletter?sent'])
    expect(headingOf((await app.inject('/newsletter?sent')).body)).toBe('Check your inbox')
    expect(await only()).toMatchObject({ email, source: 'post', confirmedAt: null })

    const token = await tokenOf(email)
    const opened = await app.inject(`/newsletter/confirm?token=${token}`)
    expect(opened.body).toContain('Confirm subscription</button>')
    expect(opened.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
    expect((await only()).confirmedAt).toBeNull()

    const confirmed = await confirm(token)
    expect([confirmed.statusCode, headingOf(confirmed.body)]).toEqual([200, 'You’re subscribed'])
    expect(await listed('?state=active')).toMatchObject({
      subscribers: [{ email, state: 'active', source: 'post', confirmedAt: expect.any(String) }],
      counts: { active: 1, pending: 0, unsubscribed: 0, bounced: 0 },
      nextCursor: null,
    })
  })

  test('one click ends it: by the button of the page, and by the button of a mail program, which knows no session and no page', async () => {
    const [one, other] = [await makeSubscriber(), await makeSubscriber()]
    const url = `/newsletter/unsubscribe?token=${unsubscribeToken(one.id)}`
    expect((await app.inject(url)).body).toContain('Unsubscribe</button>')
    expect(await listed()).toMatchObject({ counts: { active: 2, unsubscribed: 0 } })
    const left = await sendForm(app, url, {})
    expect([left.statusCode, headingOf(left.body)]).toEqual([200, 'You’re unsubscribed'])

    for (const [type, payload] of [
      ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'],
    ] as const) {
      const reply = await app.inject({
        method: 'POST',
        url: `/newsletter/unsubscribe?token=${unsubscribeToken(other.id)}`,
        headers: { 'content-type': type },
        payload,
      })
      expect([reply.statusCode, reply.headers.location]).toEqual([200, undefined])
    }
    expect(await listed()).toMatchObject({ counts: { active: 0, unsubscribed: 2 } })
  })

  test('who left subscribes again with a new link', async () => {
    const gone = await makeSubscriber({ email, unsubscribedAt: new Date(Date.now() - 60_000) })
    await subscribe({ email })
    expect(await listed()).toMatchObject({ counts: { active: 0, unsubscribed: 1 } })
    await confirm(await tokenOf(email))
    expect(await only()).toMatchObject({ id: gone.id, unsubscribedAt: null })
    expect((await only()).confirmedAt?.getTime()).toBeGreaterThan(gone.confirmedAt?.getTime() ?? Infinity)
  })

  test('staff search, filter, page and delete subscribers, and take the list away as CSV with where each came from', async () => {
    const cameFrom = { form: 'newsletter', path: '/blog', referrer: 'news.example', campaign: { utm_source: 'ads', ref: '42' } }
    await makeSubscriber({ email: 'ada@one.example', cameFrom: JSON.stringify(cameFrom) })
    await makeSubscriber({ email: '=cmd@one.example', confirmedAt: null })
    const { id } = await makeSubscriber({ email: 'bob_x@two.example', bouncedAt: new Date() })
    const emailsOf = async (query: string) => (await listed(query)).subscribers.map((found) => found.email)
    expect(await emailsOf('?q=ONE.example')).toEqual(['=cmd@one.example', 'ada@one.example'])
    expect(await emailsOf('?q=b_x')).toEqual(['bob_x@two.example'])
    expect(await emailsOf('?q=b%25x')).toEqual([])
    expect(await emailsOf('?state=bounced')).toEqual(['bob_x@two.example'])
    const first = await listed('?limit=2')
    expect(await emailsOf(`?limit=2&cursor=${first.nextCursor}`)).toEqual(['ada@one.example'])

    const file = await get(`${SUBSCRIBERS}.csv?q=one.`)
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="subscribers-\d{4}-\d\d-\d\d\.csv"$/)
    expect(file.body.split('\r\n')).toEqual([
      '"Email","Status","Form","Requested At","Confirmed At","Form Page","Referrer","Campaign"',
      expect.stringMatching(/^"'=cmd@one.example","pending","blog","20[^"]+","","","",""$/),
      expect.stringMatching(
        /^"ada@one.example","active","blog","20[^"]+","2026-01-02T03:04:05.000Z","\/blog","news.example","ref=42, utm_source=ads"$/,
      ),
      '',
    ])
    expect((await app.inject({ method: 'DELETE', url: `${SUBSCRIBERS}/${id}`, headers: staff.headers })).statusCode).toBe(204)
    expect(await emailsOf('?state=bounced')).toEqual([])
  })

  test('all subscribers that match are deleted at once, unless others match by now', async () => {
    const remove = async (choice: object) =>
      app.inject({ method: 'POST', url: `${SUBSCRIBERS}/delete`, headers: staff.headers, payload: { choice } })
    for (const name of ['ada', 'bob', 'eve']) await makeSubscriber({ email: `${name}@one.example` })
    const { id } = await makeSubscriber({ email: 'kim@two.example' })
    expect((await listed('?q=one.')).total).toBe(3)
    const refused = await remove({ filter: { q: 'one.' }, count: 2 })
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'matches_changed', detail: '3 subscribers match now, not 2. Choose them again.' }),
    ])
    expect(await rows()).toHaveLength(4)
    expect((await remove({ filter: { q: 'one.' }, count: 3 })).json()).toEqual({ deleted: 3 })
    expect((await remove({ ids: [id] })).json()).toEqual({ deleted: 1 })
    expect((await remove({ ids: [id] })).json()).toEqual({ deleted: 0 })
    for (const choice of [{}, { filter: {} }, { filter: { who: 'all' }, count: 0 }, { ids: [] }])
      expect([choice, (await remove(choice)).statusCode]).toEqual([choice, 422])
  })

  test('a post goes to everyone who is subscribed, with a link of their own to unsubscribe, and the list counts', async () => {
    const { id, slug } = await makePost({ title: 'Prices & tables', excerpt: 'Every morning.', authorId: author.user.id })
    const [first, second] = [await makeSubscriber(), await makeSubscriber()]
    await makeSubscriber({ confirmedAt: null })
    await makeSubscriber({ unsubscribedAt: new Date() })
    await makeSubscriber({ bouncedAt: new Date() })
    expect(await issueOf(id)).toBeNull()
    const sent = await post(`${NEWSLETTER_POSTS}/${id}/send`)
    expect([sent.statusCode, sent.json()]).toEqual([202, expect.objectContaining({ recipients: 2, waiting: 2, sent: 0 })])
    startJobs()
    await eventually(async () => expect(await issueOf(id)).toMatchObject({ sent: 2, waiting: 0, failed: 0, bounced: 0, skipped: 0 }))
    const jobs = await db.selectFrom('jobs').select('id').where('kind', '=', EMAIL_JOB).execute()
    const letters = await Promise.all(jobs.map(async (job) => readEmail(job.id)))
    expect(new Set(letters.map((letter) => letter?.to))).toEqual(new Set([first.email, second.email]))
    expect(letters).toHaveLength(2)
    const own = letters.find((letter) => letter?.to === first.email)
    expect(own).toMatchObject({ subject: 'Prices & tables' })
    for (const part of [own?.text, own?.html]) {
      expect(part).toContain(`http://localhost:3000/blog/${slug}`)
      expect(part).toContain(`/newsletter/unsubscribe?token=${unsubscribeToken(first.id)}`)
    }
    expect(own?.text).toContain('subscribed on January 2, 2026')
  })

  test('more subscribers than one transaction takes all get it, later ones do not', async () => {
    const { id } = await makePost()
    const many = Array.from({ length: 1203 }, (_, at) => ({
      id: newId(),
      email: `reader-${at}@example.com`,
      source: 'blog' as const,
      confirmedAt: new Date('2026-01-01'),
    }))
    await db.insertInto('newsletterSubscribers').values(many).execute()
    await post(`${NEWSLETTER_POSTS}/${id}/send`)
    await makeSubscriber({ confirmedAt: new Date(Date.now() + 60_000) })
    startJobs()
    await eventually(async () => {
      const issue = await db.selectFrom('newsletterIssues').selectAll().where('postId', '=', id).executeTakeFirst()
      expect(issue).toMatchObject({ recipients: 1203, queuedAt: expect.any(Date) })
    })
    await stopJobs()
    const deliveries = await db.selectFrom('newsletterDeliveries').select('subscriberId').execute()
    expect(new Set(deliveries.map(({ subscriberId }) => subscriberId)).size).toBe(1203)
  })
})

describe('error', () => {
  test.each(['', 'ada', 'ada@', 'a@b@c.example', `${'a'.repeat(250)}@x.example`])(
    'the address “%s” comes back in the form with a reason, and nothing is stored',
    async (wrong) => {
      const reply = await subscribe({ email: wrong, source: 'post' })
      expect(reply.statusCode).toBe(422)
      expect(textOf(reply.body)).toContain('Please enter a valid email address')
      expect(reply.body).toContain('aria-invalid="true"')
      expect(reply.body).toContain(`value="${wrong.slice(0, 254)}"`)
      expect(await rows()).toEqual([])
    },
  )

  test('an invented, foreign or expired link changes nothing, and neither does one from before the person left', async () => {
    await subscribe({ email })
    const token = await tokenOf(email)
    const { id } = await only()
    const [, at, mark] = token.split('.')
    const later = (Date.now() + 1000).toString(36)
    for (const wrong of ['', 'x', `${newId()}.${at}.${mark}`, `${id}.${later}.${mark}`, `${token}x`, unsubscribeToken(id)]) {
      expect([wrong, (await confirm(wrong)).statusCode]).toEqual([wrong, 422])
      expect(headingOf((await app.inject(`/newsletter/confirm?token=${wrong}`)).body)).toBe('This link no longer works')
    }
    expect((await only()).confirmedAt).toBeNull()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 24 * 3_600_000 + 1000 })
    const late = await confirm(token)
    vi.useRealTimers()
    expect(late.statusCode).toBe(422)

    await confirm(token)
    await sendForm(app, `/newsletter/unsubscribe?token=${unsubscribeToken(id)}`, {})
    expect((await confirm(token)).statusCode).toBe(422)
    expect(await listed()).toMatchObject({ counts: { active: 0, unsubscribed: 1 } })
    for (const wrong of ['', id, `${id}.x`, token])
      expect((await sendForm(app, `/newsletter/unsubscribe?token=${wrong}`, {})).statusCode).toBe(422)
  })

  test('a post is sent once, and only while it is public and someone is subscribed', async () => {
    const { id } = await makePost()
    const draft = await makePost({ published: false, publishedAt: null })
    const code = async (postId: string) => {
      const reply = await post(`${NEWSLETTER_POSTS}/${postId}/send`)
      return [reply.statusCode, reply.json().code]
    }
    expect(await code(id)).toEqual([409, 'no_subscribers'])
    await makeSubscriber()
    expect(await code(draft.id)).toEqual([409, 'not_public'])
    expect((await code(newId()))[0]).toBe(404)
    const both = await Promise.all([code(id), code(id)])
    expect(new Set(both.map(([status]) => status))).toEqual(new Set([202, 409]))
    expect(await code(id)).toEqual([409, 'already_sent'])
    expect(await db.selectFrom('newsletterIssues').select('id').execute()).toHaveLength(1)
    expect((await post(`${NEWSLETTER_POSTS}/${draft.id}/retry`)).statusCode).toBe(404)
    expect((await app.inject({ method: 'DELETE', url: `${SUBSCRIBERS}/${newId()}`, headers: staff.headers })).statusCode).toBe(404)
    for (const query of ['?state=all', '?limit=0', '?cursor=x']) expect((await get(SUBSCRIBERS + query)).statusCode).toBe(422)
  })

  test('an email whose reader has left or is erased, or whose post is no longer public, is not sent', async () => {
    const { id } = await makePost()
    const [left, erased] = [await makeSubscriber(), await makeSubscriber()]
    await post(`${NEWSLETTER_POSTS}/${id}/send`)
    const other = await makePost()
    await post(`${NEWSLETTER_POSTS}/${other.id}/send`)
    await db
      .updateTable('jobs')
      .set({ runAt: new Date(Date.now() + 3_600_000) })
      .where('kind', '=', 'newsletter.deliver')
      .execute()
    // The emails are queued, then the subscribers leave.
    await db.updateTable('posts').set({ published: false }).where('id', '=', other.id).execute()
    startJobs()
    await eventually(async () => {
      expect(await db.selectFrom('newsletterIssues').select('id').where('queuedAt', 'is', null).execute()).toEqual([])
    })
    await stopJobs()
    await db.deleteFrom('jobs').where('kind', '=', EMAIL_JOB).execute()
    await db.updateTable('newsletterDeliveries').set({ outcome: null, settledAt: null }).execute()
    await sendForm(app, `/newsletter/unsubscribe?token=${unsubscribeToken(left.id)}`, {})
    await app.inject({ method: 'DELETE', url: `${SUBSCRIBERS}/${erased.id}`, headers: staff.headers })
    await db.updateTable('jobs').set({ doneAt: null, runAt: new Date() }).where('kind', '=', 'newsletter.deliver').execute()
    startJobs()
    await eventually(async () => expect(await issueOf(id)).toMatchObject({ skipped: 2, sent: 0, waiting: 0 }))
    const outcomes = await db.selectFrom('newsletterDeliveries').select('outcome').execute()
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped', 'skipped', 'skipped'])
    expect(await db.selectFrom('jobs').select('id').where('kind', '=', EMAIL_JOB).execute()).toEqual([])
  })
})

describe('security', () => {
  test('known, unknown, trapped and flooded addresses get the same response', async () => {
    await makeSubscriber({ email })
    const seen = new Set<string>()
    const asked: Record<string, string>[] = [
      { email },
      { email: 'new@analytical.example' },
      { email: 'bot@analytical.example', homepage: 'https://spam.example' },
      ...Array.from({ length: 5 }, () => ({ email: 'flooded@analytical.example' })),
    ]
    for (const fields of asked) {
      const { statusCode, headers, body } = await subscribe(fields)
      seen.add(JSON.stringify([statusCode, headers.location, headers['set-cookie'], body]))
    }
    expect([...seen]).toHaveLength(1)
    expect(await emailsTo(email)).toMatchObject([{ kind: 'newsletter-already' }])
    expect(await emailsTo('new@analytical.example')).toMatchObject([{ kind: 'newsletter-confirm' }])
    expect(await emailsTo('bot@analytical.example')).toEqual([])
    expect(await emailsTo('flooded@analytical.example')).toHaveLength(3)
  })

  test('one visitor can ask only so often, and keeps the typed address', async () => {
    const codes = new Set<number>()
    let last = await subscribe({ email })
    for (let count = 0; count < 31; count += 1) {
      last = await subscribe({ email })
      codes.add(last.statusCode)
    }
    expect([...codes]).toEqual([303, 429])
    expect(last.body).toContain(`value="${email}"`)
    expect(textOf(last.body)).toContain('That was too often.')
  })

  test('markup in the address is text, and a form of another site is refused', async () => {
    const reply = await subscribe({ email: '"><script>alert(1)</script>' })
    expect(reply.body).not.toContain('<script>alert')
    const foreign = await sendForm(app, '/newsletter', { email }, { origin: 'https://evil.example' })
    expect(foreign.statusCode).toBe(403)
    expect(await rows()).toEqual([])
  })

  test('the secret of a link is sealed in the queue', async () => {
    await subscribe({ email })
    const token = await tokenOf(email)
    const jobs = JSON.stringify(await db.selectFrom('jobs').selectAll().execute())
    expect(jobs).not.toContain(token)
  })

  test('customers and strangers see no subscriber and send nothing', async () => {
    const { id: postId } = await makePost()
    const { id } = await makeSubscriber()
    const customer = await signIn('customer')
    const calls = [
      ['GET', SUBSCRIBERS],
      ['GET', `${SUBSCRIBERS}.csv`],
      ['DELETE', `${SUBSCRIBERS}/${id}`],
      ['POST', `${SUBSCRIBERS}/delete`],
      ['GET', NEWSLETTER_POSTS],
      ['POST', `${NEWSLETTER_POSTS}/${postId}/send`],
      ['POST', `${NEWSLETTER_POSTS}/${postId}/retry`],
    ] as const
    for (const [method, url] of calls) {
      expect([url, (await app.inject({ method, url })).statusCode]).toEqual([url, 401])
      expect([url, (await app.inject({ method, url, headers: customer.headers })).statusCode]).toEqual([url, 403])
    }
    expect((await get('/admin/newsletter', customer.headers)).statusCode).toBe(403)
    expect(await rows()).toHaveLength(1)
    expect(await issueOf(postId)).toBeNull()
  })

  test('what staff do is in the audit log, without addresses', async () => {
    const { id } = await makeSubscriber({ email })
    const { id: postId } = await makePost()
    await post(`${NEWSLETTER_POSTS}/${postId}/send`, author.headers)
    await get(`${SUBSCRIBERS}.csv`, author.headers)
    await app.inject({ method: 'DELETE', url: `${SUBSCRIBERS}/${id}`, headers: author.headers })
    await eventually(async () => {
      const events = await db.selectFrom('auditEvents').selectAll().where('actorId', '=', author.user.id).execute()
      expect(events.map(({ action }) => action).toSorted()).toEqual(['newsletter_sent', 'subscriber_removed', 'subscribers_exported'])
      expect(JSON.stringify(events)).not.toContain(email)
    })
  })

  test('addresses that were never confirmed are deleted after 30 days, those that left after 90', async () => {
    const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000)
    const setAsked = async (id: string, askedAt: Date) =>
      db.updateTable('newsletterSubscribers').set({ askedAt }).where('id', '=', id).execute()
    const pending = await makeSubscriber({ confirmedAt: null })
    await setAsked(pending.id, days(31))
    const left = await makeSubscriber({ unsubscribedAt: days(91) })
    await setAsked(left.id, days(200))
    // They asked again today, and have the link for a week.
    const returning = await makeSubscriber({ unsubscribedAt: days(91) })
    const kept = [
      returning,
      await makeSubscriber({ confirmedAt: null }),
      await makeSubscriber({ unsubscribedAt: days(89) }),
      await makeSubscriber(),
    ]
    startJobs()
    await eventually(async () => expect((await rows()).map(({ id }) => id)).toEqual(kept.map(({ id }) => id)))
  })
})
