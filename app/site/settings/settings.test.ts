import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CALENDAR } from '#app/booking/calendar/calendar.ts'
import { sender } from '#app/mail/outbox.server.ts'
import { renderEmail } from '#app/mail/render.server.tsx'
import { sectionNames } from '#app/content/settings/sections.server.ts'
import { currentSettings } from '#app/content/settings/live.ts'
import { openSettings } from '#app/content/settings/settings.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { closeSignals, openSignals, signal } from '#app/platform/database/signals.server.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import { pagePictureAt } from '#app/site/seo/page-pictures.ts'
import { startApp } from '#test/app.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import type { SettingSection } from './settings.ts'
import './test-email.email.tsx'

const app = await startApp()
await openSignals()
afterAll(closeSignals)
const owner = await signIn('owner')
const other = await signIn('owner')
const PATH = '/api/settings/sections'

beforeEach(async () => {
  await db.deleteFrom('siteSettingRevisions').execute()
  await db.deleteFrom('siteSettings').execute()
  const close = await openSettings(() => {})
  close()
})

const read = async (section: string, { headers }: SignedIn = owner) => {
  const response = await app.inject({ url: `${PATH}/${section}`, headers })
  return { status: response.statusCode, etag: response.headers.etag, ...response.json<SettingSection>() }
}
const stories = async () => z.object({ items: z.array(z.looseObject({})) }).parse((await read('stories')).value)
const save = (section: string, payload: object, version: number, { headers }: SignedIn = owner) =>
  app.inject({ method: 'PUT', url: `${PATH}/${section}`, headers: { ...headers, 'if-match': `"${version}"` }, payload })
const identity = { name: 'Harrow', tagline: 'Ground made ready.', email: 'hello@harrow.test' }
const publicText = async (url: string) => (await app.inject({ url })).body

/** Whether a picture has a point of about this color. */
async function shows(picture: Buffer, [red = 0, green = 0, blue = 0]: number[]): Promise<boolean> {
  const pixels = await sharp(picture).toColorspace('srgb').removeAlpha().raw().toBuffer()
  const isNear = (at: number, value: number) => Math.abs((pixels[at] ?? 0) - value) < 8
  for (let at = 0; at < pixels.length; at += 3) if (isNear(at, red) && isNear(at + 1, green) && isNear(at + 2, blue)) return true
  return false
}

describe('happy', () => {
  test('every section begins with the content of its file, which the form accepts as it is', async () => {
    for (const section of sectionNames) {
      const { value, version, isDefault, form } = await read(section)
      expect([section, version, isDefault, form.type]).toEqual([section, 0, true, 'object'])
      const given = section === 'testimonials' ? { ...value, confirmed: true } : value
      expect([section, (await save(section, given, 0)).statusCode]).toEqual([section, 200])
    }
  })

  test('sections that are saved unchanged change no public page', async () => {
    const before = await publicText('/')
    for (const section of sectionNames) {
      const { value } = await read(section)
      await save(section, section === 'testimonials' ? { ...value, confirmed: true } : value, 0)
    }
    const after = await publicText('/')
    expect(after.replace(/<link rel="stylesheet" href="\/brand\/[^>]*>/, '')).toBe(before)
  })

  test('who confirmed hours without a name of their own is called what the business is called, also after a rename', async () => {
    const call = async (method: 'GET' | 'PUT', path: string, payload?: object) =>
      (
        await app.inject({
          method,
          url: `${CALENDAR}/${path}`,
          headers: { ...owner.headers, 'if-match': '"0"' },
          ...(payload && { payload }),
        })
      ).json()
    const nameNow = async () => (await call('GET', 'hosts')).find(({ isYou }: { isYou: boolean }) => isYou).name
    const callOwner = (metadata: object) =>
      db
        .updateTable('users')
        .set({ userMetadata: JSON.stringify(metadata) })
        .where('id', '=', owner.user.id)
        .execute()
    await callOwner({})
    const {
      id,
      isYou: _you,
      mayChange: _may,
      hasAddress: _has,
      isConfirmed: _confirmed,
      version: _at,
      ...offered
    } = (await call('GET', 'hosts')).find(({ isYou }: { isYou: boolean }) => isYou)
    expect((await call('PUT', `hosts/${id}`, offered)).isConfirmed).toBe(true)
    await save('identity', identity, 0)
    expect(await nameNow()).toBe('Harrow')
    await callOwner({ first_name: 'Ada' })
    expect(await nameNow()).toBe('Ada')
    await db.updateTable('bookingHosts').set({ name: 'Countess' }).execute()
    expect(await nameNow()).toBe('Countess')
  })

  test('a new name is on every page, in feeds, machine files, previews and emails, and the old one is nowhere', async () => {
    const pages = ['/', '/services', '/case-studies', '/about', '/contact', '/get-started', '/hire-web-scraping-developer', '/datasets']
    const machines = ['/blog', '/blog/feed.xml', '/blog/atom.xml', '/blog/feed.json', '/llms.txt', '/site.webmanifest', '/developers']
    const legal = ['/privacy-policy', '/terms-of-service', '/cookie-policy', '/booking-success', '/login']
    const urls = [...pages, ...machines, ...legal]
    for (const url of urls) expect([url, (await publicText(url)).includes('Winnow')]).toEqual([url, true])

    expect((await save('identity', identity, 0)).statusCode).toBe(200)

    for (const url of urls) {
      const body = await publicText(url)
      expect([url, body.match(/.{0,40}Winnow.{0,40}/)?.[0]]).toEqual([url, undefined])
      expect([url, body.includes('Harrow')]).toEqual([url, true])
    }
    const { html, text } = await renderEmail('test', JSON.stringify({ at: 'now' }))
    expect(html).toContain('Harrow')
    expect(html + text).not.toContain('Winnow')
  })

  test('prices, questions, people and legal dates change everywhere they are used', async () => {
    const { value: offerings } = await read('offerings')
    const sheets = JSON.parse(JSON.stringify(offerings).replace('"price":500', '"price":777'))
    await save('offerings', sheets, 0)
    for (const url of ['/', '/services', '/hire-web-scraping-developer', '/llms.txt']) expect(await publicText(url)).toContain('$777')
    expect(await publicText('/services')).toMatch(/<meta name="description"[^>]*\$777/)

    await save(
      'questions',
      { home: [{ question: 'Is it live?', answer: 'Yes.\n\nAlways.' }], hire: [{ question: 'Who?', answer: 'Me.' }] },
      0,
    )
    const home = await publicText('/')
    expect(home).toContain('Is it live?')
    expect(home).toContain('"name":"Is it live?"')
    expect(home).not.toContain('Is web scraping legal?')

    const { value: legal } = await read('legal')
    await save('legal', { ...legal, 'privacy-policy': 'March 1, 2026', name: 'Harrow Ltd' }, 0)
    expect(await publicText('/privacy-policy')).toContain('March 1, 2026')
    expect(await publicText('/terms-of-service')).toContain('Harrow Ltd')
  })

  test('a claim without a figure is hidden on every page, and one with another figure has it everywhere', async () => {
    const { value } = await read('claims')
    const promises = { acknowledgement: true, response: true, proposal: true, duration: false }
    const claims = { ...value, projects: { value: '640+', label: 'projects' }, satisfaction: { label: 'satisfaction' }, promises }
    expect((await save('claims', claims, 0)).statusCode).toBe(200)
    for (const url of ['/', '/about', '/contact', '/hire-web-scraping-developer']) {
      const page = await publicText(url)
      expect([url, page.includes('640+'), page.includes('500+'), page.includes('>satisfaction<')]).toEqual([url, true, false, false])
    }
    expect(await publicText('/')).not.toMatch(/<li[^>]*>Projects in/)
    const none = { value: undefined, label: 'x' }
    await save('claims', { projects: none, accuracy: none, experience: none, satisfaction: none, businesses: none, promises }, 1)
    for (const url of ['/', '/about', '/hire-web-scraping-developer']) expect(await publicText(url)).not.toContain('640+')
    for (const url of ['/', '/about']) expect(await publicText(url)).not.toContain('aria-label="In figures"')
  })

  test('case studies have the order, words and figures of the settings; a hidden one is quoted nowhere', async () => {
    const [estate, social, , pages] = (await stories()).items
    await save('stories', { items: [social, { ...pages, shown: false }, estate] }, 0)
    const page = await publicText('/case-studies')
    expect([...page.matchAll(/<article id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['ai-social-media-system', 'real-estate-lead-system'])
    expect(page).toContain('Two systems, and the numbers they are measured by')
    expect(await publicText('/')).not.toContain('500-automated-local-web-pages')
    expect(await publicText('/about')).not.toContain('500 pages in')
    expect(await publicText('/about')).toContain('7 minutes from listing')

    const results = [{ value: '3 minutes', metric: 'to the agent', description: 'Measured in May.' }]
    const text = '# What was wrong\n\nA **slow** [desk](javascript:alert(1)).\n\n<b>raw</b>'
    await save('stories', { items: [{ category: 'Estate Ñandú!', title: 'Leads in 3 minutes', results, text }] }, 1)
    const own = await publicText('/case-studies')
    expect(own).toMatch(/<article id="estate-ñandú"[^]*3 minutes[^]*to the agent[^]*Measured in May/)
    expect(own).toMatch(/<h3>What was wrong<\/h3>\s*<p>A <strong>slow<\/strong> <a>desk<\/a>/)
    for (const gone of ['Industry', 'Client', 'Timeline', '<figure', '<b>', '7 minutes'])
      expect([gone, own.includes(gone)]).toEqual([gone, false])
    expect(await publicText('/')).toContain('Leads in 3 minutes')
    expect(await publicText('/about')).not.toContain('7 minutes from listing')
    expect(pagePictureAt('/case-studies')?.rows).toEqual([['estate_ñandú', '3 minutes']])
  })

  test('prices, dates and the copyright line are written as the settings say, also for machines and in legal texts', async () => {
    await save('formats', { currency: 'EUR', dates: 'Day first: 3 October 2026', years: '2020-2026' }, 0)
    const services = await publicText('/services')
    expect(services).toMatch(/<html lang="en-GB" data-currency="EUR"/)
    for (const said of ['from €500', '© 2020-2026']) expect(services.replaceAll('<!-- -->', '')).toContain(said)
    const hire = await publicText('/hire-web-scraping-developer')
    expect(hire).toContain('"priceCurrency":"EUR"')
    expect(hire).toContain('€1,000 to €5,000')
    expect(await publicText('/terms-of-service')).toContain('Prices are in euros')
    expect(await publicText('/llms.txt')).toContain('All prices are in euros')
    expect(longDay(new Date('2026-10-03'))).toBe('3 October 2026')
    await save('formats', { currency: 'USD', dates: 'Month first: October 3, 2026', years: '2019-2025' }, 1)
    expect(longDay(new Date('2026-10-03'))).toBe('October 3, 2026')
    expect(await publicText('/services')).toContain('from $500')
  })

  test('a cached page shows the new values at the next request, also when another process has saved them', async () => {
    expect(await publicText('/about')).toContain('Winnow')
    await save('identity', identity, 0)
    expect(await publicText('/about')).toContain('Harrow')
    // As another process does it: the row, then the signal.
    await db
      .updateTable('siteSettings')
      .set({ value: JSON.stringify({ ...identity, name: 'Thresher' }) })
      .execute()
    await signal('settings.changed')
    await expect.poll(() => publicText('/about')).toContain('Thresher')
  })

  test('emails come from the name of the business as it is now, also when another process has saved it', async () => {
    await save('identity', { ...identity, name: 'Harrow, Ltd' }, 0)
    expect(sender()).toEqual({ name: 'Harrow, Ltd', address: 'hello@localhost' })
    await db
      .updateTable('siteSettings')
      .set({ value: JSON.stringify({ ...identity, name: 'Thresher' }) })
      .execute()
    await signal('settings.changed')
    await expect.poll(() => sender().name).toBe('Thresher')
  })

  test('versions tell who saved what, and each can be restored, also the defaults', async () => {
    await save('identity', identity, 0)
    await save('identity', { ...identity, name: 'Sickle' }, 1, other)
    const revisions = await app.inject({ url: `${PATH}/identity/revisions`, headers: owner.headers })
    expect(revisions.json()).toMatchObject([
      { version: 2, editor: 'Ada' },
      { version: 1, editor: 'Ada' },
    ])

    const restore = (version: number, base: number) =>
      app.inject({
        method: 'POST',
        url: `${PATH}/identity/revisions/${version}/restore`,
        headers: { ...owner.headers, 'if-match': `"${base}"` },
      })
    expect((await restore(1, 2)).json()).toMatchObject({ version: 3, value: { name: 'Harrow' } })
    expect(await publicText('/about')).toContain('Harrow')
    expect((await restore(0, 3)).json()).toMatchObject({ version: 4, isDefault: true, value: { name: 'Winnow' } })
    expect(await publicText('/about')).toContain('Winnow')
    expect((await restore(9, 4)).statusCode).toBe(404)
  })

  test('the owner previews a draft on the real page, uncached and unlisted; nobody else sees it', async () => {
    const draft = await app.inject({ method: 'PUT', url: `${PATH}/identity/draft`, headers: owner.headers, payload: identity })
    expect(draft.statusCode).toBe(204)
    const url = '/?view=public&preview=settings'
    const preview = await app.inject({ url, headers: owner.headers })
    expect(preview.body).toContain('Harrow')
    expect(preview.body).toContain('Preview of unsaved settings')
    expect(preview.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    for (const headers of [{}, (await signIn('staff')).headers, (await signIn()).headers]) {
      expect((await app.inject({ url, headers })).body).not.toContain('Harrow')
    }
    expect(await publicText('/')).not.toContain('Harrow')

    await app.inject({ method: 'DELETE', url: `${PATH}/identity/draft`, headers: owner.headers })
    expect((await app.inject({ url, headers: owner.headers })).body).not.toContain('Harrow')
  })

  test('a logo and an accent are on the page after they were saved', async () => {
    const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
    const upload = { method: 'POST', url: '/api/settings/files', headers: { ...owner.headers, 'content-type': 'image/png' } } as const
    const uploaded = await app.inject({ ...upload, payload: png })
    expect(uploaded.statusCode).toBe(201)
    const { file } = uploaded.json<{ file: string }>()
    const { value } = await read('branding')
    expect((await save('branding', { ...value, accentLight: '#66bbff', logo: file }, 0)).statusCode).toBe(200)
    const home = await publicText('/')
    expect(home).toContain(`/site-files/${file}`)
    const [, style = ''] = /href="(\/brand\/[^"]+)"/.exec(home) ?? []
    expect(await publicText(style)).toContain('--color-grain:light-dark(#66bbff,#f2b33d)')
    const image = await app.inject({ url: `/site-files/${file}` })
    expect(image.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'public, max-age=31536000, immutable' })
    expect((await sharp(image.rawPayload).metadata()).format).toBe('webp')
    // The icons and the pictures of shared links have them too.
    const icons = [...home.matchAll(/<link rel="(?:icon|apple-touch-icon)" href="([^"]+)"/g)].map(([, href = '']) => href)
    const manifest: { icons: { src: string }[] } = JSON.parse(await publicText('/site.webmanifest'))
    expect([...icons, ...manifest.icons.map(({ src }) => src)]).toHaveLength(7)
    for (const href of [...icons, ...manifest.icons.map(({ src }) => src)]) {
      const icon = await app.inject({ url: href })
      expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, 'image/png'])
      expect(await shows(icon.rawPayload, [0x33, 0x66, 0x99])).toBe(true)
    }
    for (const address of ['/favicon.ico', '/apple-touch-icon.png']) {
      const sent = await app.inject({ url: address })
      expect([sent.statusCode, icons.includes(String(sent.headers.location))]).toEqual([302, true])
    }
    const [, picture = ''] = /property="og:image" content="[^"]*(\/og\/[^"]+)"/.exec(home) ?? []
    const shared = await app.inject({ url: picture })
    expect([await shows(shared.rawPayload, [0x33, 0x66, 0x99]), await shows(shared.rawPayload, [0x66, 0xbb, 0xff])]).toEqual([true, true])
    expect((await save('branding', { ...value, accentDark: '#66bbff' }, 1)).statusCode).toBe(200)
    const mark = await app.inject({ url: '/site-files/icon-66bbff-mark-192.png' })
    expect(await shows(mark.rawPayload, [0x66, 0xbb, 0xff])).toBe(true)
    // Nobody can make the server draw icons of brands that there are not.
    for (const name of ['icon-66bbff-mark-33', 'icon-66bbfe-mark-192', `icon-66bbff-${'0'.repeat(40)}-32`, icons[0]?.slice(12, -4) ?? ''])
      expect([name, (await app.inject({ url: `/site-files/${name}.png` })).statusCode]).toEqual([name, 404])
  })
})

describe('error', () => {
  test('of two people who save at once the second is told, with the newer values, and nothing is overwritten', async () => {
    const both = await Promise.all([save('identity', identity, 0), save('identity', { ...identity, name: 'Sickle' }, 0, other)])
    const [won, lost] = both.toSorted((one, two) => one.statusCode - two.statusCode)
    expect([won?.statusCode, lost?.statusCode]).toEqual([200, 409])
    expect(lost?.json()).toMatchObject({ code: 'edit_conflict', current: { version: 1, value: won?.json<SettingSection>().value } })
    expect(await read('identity')).toMatchObject({ version: 1, etag: '"1"', value: won?.json<SettingSection>().value })
  })

  test('a save without the version that it is based on is refused', async () => {
    const response = await app.inject({ method: 'PUT', url: `${PATH}/identity`, headers: owner.headers, payload: identity })
    expect([response.statusCode, response.json()]).toEqual([400, expect.objectContaining({ code: 'bad_if_match' })])
  })

  test('each invalid field is named', async () => {
    const { value } = await read('links')
    const bad = await save('links', { ...value, microblog: { label: '', url: 'javascript:alert(1)' } }, 0)
    expect(bad.statusCode).toBe(422)
    expect(Object.keys(bad.json<{ errors: object }>().errors).toSorted()).toEqual(['microblog.label', 'microblog.url'])
    const day = await save('legal', { ...(await read('legal')).value, 'cookie-policy': 'yesterday' }, 0)
    expect(day.json()).toMatchObject({ errors: { 'cookie-policy': 'A date has the form December 21, 2024.' } })
    const claims = (await read('claims')).value
    const long = await save('claims', { ...claims, projects: { value: 'x'.repeat(21), label: '' } }, 0)
    expect(Object.keys(long.json<{ errors: object }>().errors).toSorted()).toEqual(['projects.label', 'projects.value'])
    const [first] = (await stories()).items
    const refused = async (...items: object[]) => (await save('stories', { items }, 0)).json<{ errors: object }>().errors
    expect(await refused()).toEqual({ items: expect.stringContaining('Show at least one') })
    expect(await refused({ ...first, shown: false })).toEqual({ items: expect.stringContaining('Show at least one') })
    expect(await refused({ ...first, category: 'Leads' }, { ...first, category: 'leads!' })).toEqual({
      items: expect.stringContaining('same kind'),
    })
    expect(await refused({ ...first, title: '', chart: 'Another' })).toMatchObject({
      'items.0.title': 'Please fill this in.',
      'items.0.chart': expect.stringContaining('choose'),
    })
    const yen = await save('formats', { ...(await read('formats')).value, currency: 'JPY' }, 0)
    expect(yen.json()).toMatchObject({ errors: { currency: 'Please choose a currency from the list.' } })
    const unconfirmed = await save('testimonials', { ...(await read('testimonials')).value, confirmed: false }, 0)
    expect(unconfirmed.json()).toMatchObject({ errors: { confirmed: expect.stringContaining('Please confirm') } })
  })

  test('a color that people cannot read is refused with the reason', async () => {
    const { value } = await read('branding')
    const pale = await save('branding', { ...value, textLight: '#e0a32e' }, 0)
    expect(pale.json()).toMatchObject({ errors: { textLight: expect.stringMatching(/contrast with .* is 1\.\d:1.*4\.5:1.*darker/) } })
    const dark = await save('branding', { ...value, accentDark: '#123456', textDark: '#123456' }, 0)
    expect(Object.keys(dark.json<{ errors: object }>().errors)).toEqual(['accentDark', 'textDark'])
  })

  test('two rules or exchange rates of which only one would count, and a VAT number without its country, are refused at their fields; saved before, they hold', async () => {
    const { value } = await read('billing')
    const [rule, rate] = [
      { country: 'DE', supply: 'Data', rate: '19' },
      { currency: 'CHF', rate: '0.94', on: '2026-01-01' },
    ]
    const doubtful = {
      ...value,
      vatNumber: 'hello',
      rates: [rule, { ...rule, region: 'Bremen' }, { ...rule, from: '2027-01-01' }, { ...rule, rate: '7' }],
      exchange: [rate, { ...rate, on: '2026-01-02' }, { ...rate, rate: '0.95' }],
    }
    const refused = await save('billing', doubtful, 0)
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toEqual({
      vatNumber: 'A VAT number begins with its country, such as DE123456789.',
      'rates.3.country': 'Rule 1 covers the same buyers from the same date. Change one of the two, or remove it.',
      'exchange.2.currency': 'Exchange rate 1 has the same currency and date. Change one of the two, or remove it.',
    })
    const rates = doubtful.rates.slice(0, 3)
    expect((await save('billing', { ...doubtful, vatNumber: 'de 123.456-789', rates, exchange: [rate] }, 0)).statusCode).toBe(200)
    await db
      .updateTable('siteSettings')
      .set({ value: JSON.stringify(doubtful) })
      .where('section', '=', 'billing')
      .execute()
    const close = await openSettings(() => {})
    close()
    expect(currentSettings().billing?.rates).toHaveLength(4)
  })

  test('a saved value of an older form is ignored, and its section has the defaults', async () => {
    await db.insertInto('siteSettings').values({ section: 'identity', value: '{"name":7}', version: 1 }).execute()
    const close = await openSettings(() => {})
    close()
    expect(await publicText('/about')).toContain('Winnow')
  })

  test('without a mail server the test email says which setting is missing', async () => {
    const response = await app.inject({ method: 'POST', url: '/api/settings/test-email', headers: owner.headers })
    expect([response.statusCode, response.json()]).toEqual([409, expect.objectContaining({ code: 'no_mail_server' })])
    expect(response.json<{ detail: string }>().detail).toContain('SMTP_URL')
  })

  test('an unknown section, version or picture is not found', async () => {
    const gets = [
      `${PATH}/nothing`,
      `${PATH}/nothing/revisions`,
      '/site-files/x.webp',
      '/brand/red.css',
      `/site-files/${'0'.repeat(40)}.webp`,
    ]
    for (const url of gets) expect([url, (await app.inject({ url, headers: owner.headers })).statusCode >= 404]).toEqual([url, true])
    const { value } = await read('branding')
    expect((await save('branding', { ...value, logo: `${'0'.repeat(40)}.webp` }, 0)).statusCode).toBe(422)
  })
})

describe('security', () => {
  test('strangers and customers see nothing, staff look, and only the owner writes', async () => {
    const [staff, customer] = [await signIn('staff'), await signIn()]
    const writes = [
      { method: 'PUT', url: `${PATH}/identity`, payload: identity },
      { method: 'PUT', url: `${PATH}/identity/draft`, payload: identity },
      { method: 'DELETE', url: `${PATH}/identity/draft` },
      { method: 'POST', url: `${PATH}/identity/revisions/0/restore` },
      { method: 'POST', url: '/api/settings/test-email' },
      { method: 'POST', url: '/api/settings/files' },
    ] as const
    for (const write of writes) {
      const statuses = await Promise.all(
        [{}, customer.headers, staff.headers].map(
          async (headers) => (await app.inject({ ...write, headers: { ...headers, 'if-match': '"0"' } })).statusCode,
        ),
      )
      expect([write.url, statuses]).toEqual([write.url, [401, 403, 403]])
    }
    for (const url of ['/api/settings', '/api/settings/connections', `${PATH}/identity`, `${PATH}/identity/revisions`]) {
      const statuses = await Promise.all(
        [{}, customer.headers, staff.headers].map(async (headers) => (await app.inject({ url, headers })).statusCode),
      )
      expect([url, statuses]).toEqual([url, [401, 403, 200]])
    }
    expect(currentSettings()).toEqual({})
  })

  test('markup in a text is text on the page and in structured data', async () => {
    await save('identity', { ...identity, name: '<script>alert(1)</script>', tagline: '</script><b>' }, 0)
    const home = await publicText('/')
    expect(home).not.toContain('<script>alert(1)')
    expect(home).not.toContain('</script><b>')
  })

  test('a drawing with script is no picture, and a picture loses everything but its pixels', async () => {
    const upload = { method: 'POST', url: '/api/settings/files', headers: { ...owner.headers, 'content-type': 'image/svg+xml' } } as const
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    expect((await app.inject({ ...upload, payload: Buffer.from(svg) })).statusCode).toBe(422)
    const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#ffffff' } })
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .jpeg()
      .toBuffer()
    const { file } = (await app.inject({ ...upload, headers: { ...upload.headers, 'content-type': 'image/jpeg' }, payload: jpeg })).json<{
      file: string
    }>()
    const served = (await app.inject({ url: `/site-files/${file}` })).rawPayload
    expect(served.includes('secret place')).toBe(false)
  })
})
