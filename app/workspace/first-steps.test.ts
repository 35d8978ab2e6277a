import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { SYSTEM_EDITOR } from '#app/blog/posts/post.server.ts'
import { closeTransport } from '#app/mail/transport.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { closeSignals, openSignals } from '#app/platform/database/signals.server.ts'
import { createApp } from '#app/server.ts'
import { makeDataset, makeHost, makePost, makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { FIRST_STEPS, type FirstSteps } from './first-steps.ts'

const server = await vi.hoisted(async () => {
  const { openMailServer } = await import('#test/mail-server.ts')
  const opened = await openMailServer()
  process.env.SMTP_URL = opened.url
  return opened
})

let app: Http
let owner: SignedIn

beforeAll(async () => {
  await openDatabase()
  await openSignals()
  app = await createApp()
})
beforeEach(async () => {
  for (const table of ['siteSettingRevisions', 'siteSettings', 'posts', 'hiddenFirstSteps'] as const) await db.deleteFrom(table).execute()
  await db.deleteFrom('users').execute()
  await db.updateTable('installation').set({ testedMailServer: null }).execute()
  owner = await signIn('owner', { emailConfirmedAt: null, phoneConfirmedAt: new Date(), phone: '15555550199' })
})
afterEach(async () => {
  server.answer = 'take'
  await db.deleteFrom('datasetVersions').execute()
  await db.deleteFrom('dataProducts').execute()
})
afterAll(async () => {
  await app.close()
  closeTransport()
  await server.close()
  await closeSignals()
  await closeDatabase()
})

const ask = (headers: Record<string, string> = owner.headers) => app.inject({ url: FIRST_STEPS, headers })
const choose = (isHidden: unknown, headers: Record<string, string> = owner.headers) =>
  app.inject({ method: 'PUT', url: FIRST_STEPS, headers, payload: { isHidden } })
const doneSteps = async () => {
  const { steps } = (await ask()).json<FirstSteps>()
  return steps.filter(({ isDone }) => isDone).map(({ name }) => name)
}
const saveSection = async (section: string, payload: object, version = 0) =>
  app.inject({
    method: 'PUT',
    url: `/api/settings/sections/${section}`,
    headers: { ...owner.headers, 'if-match': `"${version}"` },
    payload,
  })
const identity = { name: 'Harrow', tagline: 'Ground made ready.', email: 'hello@harrow.test' }

describe('happy', () => {
  test('a new owner has ten steps, none of them done', async () => {
    const { steps, isHidden } = (await ask()).json<FirstSteps>()
    expect(steps.map(({ name }) => name)).toEqual([
      'address',
      'factor',
      'mail',
      'business',
      'testimonials',
      'hours',
      'place',
      'post',
      'dataset',
      'colleague',
    ])
    expect([await doneSteps(), isHidden]).toEqual([[], false])
  })

  test('the address counts once it is proven, not when it is only assumed', async () => {
    const change = (columns: { emailConfirmedAt: Date; emailAssumed: boolean }) =>
      db.updateTable('users').set(columns).where('id', '=', owner.user.id).execute()
    await change({ emailConfirmedAt: new Date(), emailAssumed: true })
    expect(await doneSteps()).toEqual([])
    await change({ emailConfirmedAt: new Date(), emailAssumed: false })
    expect(await doneSteps()).toEqual(['address'])
  })

  test('the second factor counts once it is verified', async () => {
    const { id } = await insert(db, 'mfaFactors', { userId: owner.user.id, factorType: 'phone', phone: '15555550143' })
    expect(await doneSteps()).toEqual([])
    await db.updateTable('mfaFactors').set({ status: 'verified' }).where('id', '=', id).execute()
    await db.updateTable('sessions').set({ aal: 'aal2' }).where('id', '=', owner.session.id).execute()
    expect(await doneSteps()).toEqual(['factor'])
  })

  test('the mail server counts once it has accepted a test email, and another server needs another test', async () => {
    const test = () => app.inject({ method: 'POST', url: '/api/settings/test-email', headers: owner.headers })
    server.answer = 550
    expect((await test()).json()).toMatchObject({ sent: false })
    expect(await doneSteps()).toEqual([])
    server.answer = 'take'
    expect((await test()).json()).toMatchObject({ sent: true })
    expect(await doneSteps()).toEqual(['mail'])
    await db.updateTable('installation').set({ testedMailServer: 'smtp.before.example:587' }).execute()
    expect(await doneSteps()).toEqual([])
  })

  test('business and testimonials count once they are saved; testimonials need their confirmation, and the defaults undo both', async () => {
    await saveSection('identity', identity)
    expect(await doneSteps()).toEqual(['business'])
    const items = [{ quote: 'The file is right.', name: 'Ada', company: 'Analytical Engines' }]
    expect((await saveSection('testimonials', { items, confirmed: false })).statusCode).toBe(422)
    expect(await doneSteps()).toEqual(['business'])
    await saveSection('testimonials', { items, confirmed: true })
    expect(await doneSteps()).toEqual(['business', 'testimonials'])
    await app.inject({
      method: 'POST',
      url: '/api/settings/sections/identity/revisions/0/restore',
      headers: { ...owner.headers, 'if-match': '"1"' },
      payload: {},
    })
    expect(await doneSteps()).toEqual(['testimonials'])
  })

  test('hours count once a host has confirmed them, and the place once it is set', async () => {
    await makeHost({ userId: owner.user.id, confirmedAt: null })
    expect(await doneSteps()).toEqual([])
    await db.updateTable('bookingHosts').set({ confirmedAt: new Date() }).execute()
    expect(await doneSteps()).toEqual(['hours'])
    await db.updateTable('bookingHosts').set({ place: 'We call you' }).execute()
    expect(await doneSteps()).toEqual(['hours', 'place'])
    await db.deleteFrom('bookingHosts').execute()
  })

  test('a post counts once visitors can read it: no draft, no scheduled one, no sample', async () => {
    await makePost({ published: false })
    await makePost({ publishedAt: new Date(Date.now() + 3_600_000) })
    await makePost({ authorId: SYSTEM_EDITOR.id })
    await makePost({ slug: 'is-web-scraping-legal', authorId: owner.user.id })
    await makePost({ removedAt: new Date() })
    expect(await doneSteps()).toEqual([])
    await makePost()
    expect(await doneSteps()).toEqual(['post'])
  })

  test('a dataset counts once its version is published and listed, unless it is a sample', async () => {
    const product = await makeProduct()
    expect(await doneSteps()).toEqual([])
    const { id } = await makeDataset(product, 'shop,price\nHarrow,4\n')
    expect(await doneSteps()).toEqual(['dataset'])
    await db.updateTable('dataProducts').set({ hidden: true }).where('id', '=', product.id).execute()
    expect(await doneSteps()).toEqual([])
    await db.updateTable('dataProducts').set({ hidden: false }).where('id', '=', product.id).execute()
    await db.updateTable('datasetVersions').set({ createdBy: SYSTEM_EDITOR.id }).where('id', '=', id).execute()
    expect(await doneSteps()).toEqual([])
  })

  test('a colleague counts once invited as staff; customers do not count', async () => {
    const invite = (email: string, role: string) =>
      app.inject({ method: 'POST', url: '/api/admin/users/invite', headers: owner.headers, payload: { email, role } })
    expect((await invite('grace@example.com', 'customer')).statusCode).toBe(201)
    await signIn('customer')
    expect(await doneSteps()).toEqual([])
    expect((await invite('sam@example.com', 'staff')).statusCode).toBe(201)
    expect(await doneSteps()).toEqual(['colleague'])
  })

  test('an owner hides the steps for themselves alone, twice if they like, and brings them back', async () => {
    const other = await signIn('owner')
    for (const isHidden of [true, true]) expect((await choose(isHidden)).json()).toMatchObject({ isHidden: true })
    expect((await ask()).json()).toMatchObject({ isHidden: true })
    expect((await ask(other.headers)).json()).toMatchObject({ isHidden: false })
    expect((await choose(false)).json()).toMatchObject({ isHidden: false })
  })

  test('the home page has the list while a step is open and it is not hidden', async () => {
    const hasList = async (headers: Record<string, string>) => (await app.inject({ url: '/', headers })).body.includes('id="first-steps"')
    const staff = await signIn('staff')
    expect([await hasList(owner.headers), await hasList(staff.headers)]).toEqual([true, false])
    await choose(true)
    expect(await hasList(owner.headers)).toBe(false)
  })

  test('an open page of the owner learns of saved settings and of new pages', async () => {
    const base = await app.listen({ port: 0, host: '127.0.0.1' })
    const connection = new AbortController()
    const { body } = await fetch(`${base}/api/events`, { headers: owner.headers, signal: connection.signal })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    const until = async (text: string, heard = ''): Promise<string> =>
      heard.includes(text) ? heard : until(text, heard + ((await reader?.read())?.value ?? ''))
    await until('retry')
    await saveSection('identity', identity)
    expect(await until('event: settings.changed')).toMatch(/data: \{"age":\d+\}/)
    const post = { title: 'Prices', slug: 'prices-of-shops', content: 'Every morning.', published: true }
    await app.inject({ method: 'POST', url: '/api/blog', headers: owner.headers, payload: post })
    expect(await until('event: pages.clear')).toMatch(/data: \{"age":\d+\}/)
    connection.abort()
  })
})

describe('error', () => {
  test.each([undefined, 'yes', 1, null])('%j is no choice', async (isHidden) => {
    expect((await choose(isHidden)).statusCode).toBe(422)
  })
})

describe('security', () => {
  test('only an owner reads and hides the steps, and no cache keeps them', async () => {
    expect((await ask()).headers['cache-control']).toBe('no-store')
    for (const role of ['customer', 'staff'] as const) {
      const { headers } = await signIn(role)
      expect([role, (await ask(headers)).statusCode, (await choose(true, headers)).statusCode]).toEqual([role, 403, 403])
    }
    expect([(await ask({})).statusCode, (await choose(true, {})).statusCode]).toEqual([401, 401])
    expect(await db.selectFrom('hiddenFirstSteps').selectAll().execute()).toEqual([])
  })

  test('another site cannot hide them', async () => {
    const foreign = { cookie: owner.headers.cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await choose(true, foreign)).statusCode).toBe(403)
    expect((await ask()).json()).toMatchObject({ isHidden: false })
  })

  test('a deleted account leaves nothing', async () => {
    await choose(true)
    const other = await signIn('owner')
    const session = await db.selectFrom('sessions').select('id').where('userId', '=', other.user.id).executeTakeFirstOrThrow()
    const amr = JSON.stringify([{ method: 'password', timestamp: Math.floor(Date.now() / 1000) }])
    await db.updateTable('sessions').set({ amr }).where('id', '=', session.id).execute()
    const reply = await app.inject({ method: 'DELETE', url: `/api/admin/users/${owner.user.id}`, headers: other.headers })
    expect(reply.statusCode).toBe(204)
    expect(await db.selectFrom('hiddenFirstSteps').selectAll().execute()).toEqual([])
  })
})
