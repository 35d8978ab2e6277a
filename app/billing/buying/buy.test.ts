import { beforeEach, describe, expect, test } from 'vitest'
import { db, insert } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startApp } from '#test/app.ts'
import { pressTest } from '#test/billing.ts'
import { makeDataset, makePerson, makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { organizationsOf } from '#test/organizations.ts'
import { makeOffer } from '#test/subscriptions.ts'

const app = await startApp()
const staff = await signIn('staff')
beforeEach(closeLimits)

const csv = 'shop,price\nNorth,1.50\nSouth,2.25\n'
const sold = async () => {
  const product = await makeProduct({ priceCents: 14_900 })
  await makeDataset(product, csv)
  return product
}
type Product = Awaited<ReturnType<typeof sold>>
const company = { legalName: 'Acme Retail Ltd', address: '1 High Street', countryCode: 'GB' }
const consent = { isBusiness: 'on', acceptsLicence: 'on', offer: '', code: '', purchaseOrder: '' }
const post = (who: SignedIn, url: string, fields: Record<string, string>, organization?: string) =>
  app.inject({
    method: 'POST',
    url,
    headers: { ...who.headers, 'content-type': 'application/x-www-form-urlencoded', ...(organization && { organization }) },
    payload: new URLSearchParams(fields).toString(),
  })
const buy = (who: SignedIn, { slug }: Pick<Product, 'slug'>, fields: Record<string, string> = {}, organization?: string) =>
  post(who, `/data-marketplace/${slug}/buy`, { ...consent, ...company, ...fields }, organization)
const ordersOf = ({ user }: SignedIn) => db.selectFrom('orders').selectAll().where('userId', '=', user.id).orderBy('id').execute()
const testId = (location: unknown) => String(location).split('/').at(-1) ?? ''

describe('happy', () => {
  test('an order keeps the company, the accepted licence and the total that was shown, and leads to the provider; a second click is the same order', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    const [first, second] = [await buy(buyer, product, { expected: '14900' }), await buy(buyer, product, { expected: '14900' })]
    expect([first.statusCode, first.headers['location']]).toEqual([303, second.headers['location']])
    const [order, ...others] = await ordersOf(buyer)
    expect(others).toEqual([])
    expect(order).toMatchObject({ gross: 14_900, isBusiness: true, includes: 'year', licence: { acceptedBy: buyer.user.id } })
    expect(await db.selectFrom('organizations').selectAll().where('id', '=', buyer.user.id).executeTakeFirst()).toMatchObject({
      ...company,
      kind: 'business',
    })
  })

  test('who orders for a company belongs to it in the lead desk, unless staff have said otherwise', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    const { id } = await organizationsOf(app).found(buyer)
    const lead = await makePerson({ email: buyer.user.email ?? '' })
    const companyOf = async () =>
      (await db.selectFrom('people').select('organizationId').where('id', '=', lead.id).executeTakeFirstOrThrow()).organizationId
    await buy(buyer, product)
    expect(await companyOf()).toBeNull()
    await buy(buyer, product, {}, id)
    expect(await companyOf()).toBe(id)
  })

  test('a subscription says what its renewals cost, without the discount of the first period', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    const offer = await makeOffer(product.id, 'month', 9900)
    await insert(db, 'discountCodes', { code: 'FIRST-20', share: 2000 })
    const { body } = await buy(buyer, product, { intent: 'quote', offer: offer.id, code: 'FIRST-20' })
    expect(body).toContain('Subscribe for $79.20')
    expect(body).toContain('It renews each month for $99.00 until you cancel.')
    expect(body).toContain('#field-code')
  })

  test('an organization that may pay later chooses before the page of the provider, keeps its order number, and reads until when it pays', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    await db.updateTable('organizations').set({ invoiceLimit: 50_000 }).where('id', '=', buyer.user.id).execute()
    const { headers } = await buy(buyer, product, { expected: '14900', purchaseOrder: '2026-77' })
    const [order] = await ordersOf(buyer)
    const page = `/pay/${order?.reference}`
    expect(headers['location']).toBe(page)
    const open = await app.inject({ url: page, headers: buyer.headers })
    expect(open.body).toContain('Pay now, or later by invoice.')
    expect(open.body).toContain('value="2026-77"')
    await post(buyer, page, { intent: 'invoice', purchaseOrder: '2026-77' })
    const { dueAt } = await db
      .selectFrom('orders')
      .select('dueAt')
      .where('id', '=', order?.id ?? '')
      .executeTakeFirstOrThrow()
    const until = dueAt?.toLocaleString('en', { dateStyle: 'long', timeZone: 'UTC' })
    const later = await app.inject({ url: page, headers: buyer.headers })
    expect(later.body).toContain(`Your access has started. Please pay $149.00 by ${until}.`)
    // Its way out is named, because only staff cancel it.
    expect([open.body, later.body].map((body) => body.includes(`?subject=Cancel%20order%20${order?.reference}`))).toEqual([false, true])
    const { items } = (await app.inject({ url: '/api/orders', headers: buyer.headers })).json()
    expect(items).toMatchObject([
      { state: 'open', mayCancel: false, isCancelledByStaff: true, dueOn: dueAt?.toISOString().slice(0, 10), purchaseOrder: '2026-77' },
    ])
  })

  test('cancelling an order asks first, without script too, and one by invoice is not offered it', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    await db.updateTable('organizations').set({ invoiceLimit: 50_000 }).where('id', '=', buyer.user.id).execute()
    await buy(buyer, product)
    const [order] = await ordersOf(buyer)
    const page = async () => (await app.inject({ url: `/pay/${order?.reference}`, headers: buyer.headers })).body
    expect(await page()).toMatch(
      /<details>.*<summary[^>]*>Cancel the order<\/summary>.*Nothing was charged.*value="cancel"[^>]*>.*Yes, cancel/s,
    )
    await post(buyer, `/pay/${order?.reference}`, { intent: 'invoice', purchaseOrder: '' })
    expect(await page()).not.toContain('value="cancel"')
  })

  test('what is owed by invoice stays owed, with its access: a later version is an order of its own', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    await db.updateTable('dataProducts').set({ priceIncludes: 'version' }).where('id', '=', product.id).execute()
    await db.updateTable('organizations').set({ invoiceLimit: 50_000 }).where('id', '=', buyer.user.id).execute()
    await buy(buyer, product, { expected: '14900' })
    const [order] = await ordersOf(buyer)
    await post(buyer, `/pay/${order?.reference}`, { intent: 'invoice', purchaseOrder: '' })
    await makeDataset(product, `${csv}West,9.00\n`)
    expect((await buy(buyer, product, { purchaseOrder: '2026-78' })).statusCode).toBe(303)
    expect(await ordersOf(buyer)).toMatchObject([
      { id: order?.id, state: 'open', method: 'invoice' },
      { purchaseOrder: '2026-78', state: 'open', method: 'checkout' },
    ])
    const grants = db
      .selectFrom('entitlements')
      .select('revokedAt')
      .where('orderId', '=', order?.id ?? '')
    expect(await grants.execute()).toEqual([{ revokedAt: null }])
  })

  test('a second click with a code is the same order, and so is one with the last use of it; at another dataset the code is used', async () => {
    const [buyer, product, other] = [await signIn(), await sold(), await sold()]
    await insert(db, 'discountCodes', { code: 'ONCE-20', share: 2000, mostUses: 1 })
    const first = await buy(buyer, product, { code: 'ONCE-20' })
    const second = await buy(buyer, product, { code: 'ONCE-20' })
    expect([second.statusCode, second.headers['location']]).toEqual([303, first.headers['location']])
    expect(await ordersOf(buyer)).toMatchObject([{ state: 'open', gross: 11_920 }])
    const changed = await buy(buyer, product, { code: 'ONCE-20', purchaseOrder: '7' })
    expect(changed.statusCode).toBe(303)
    expect((await ordersOf(buyer)).map(({ state, gross }) => [state, gross])).toEqual([
      ['cancelled', 11_920],
      ['open', 11_920],
    ])
    expect((await buy(buyer, other, { code: 'ONCE-20' })).statusCode).toBe(422)
    expect((await buy(await signIn(), product, { code: 'ONCE-20' })).statusCode).toBe(422)
  })

  test('a discount of the whole price needs no payment; a code counts once for an organization', async () => {
    const [buyer, product, other] = [await signIn(), await sold(), await sold()]
    await insert(db, 'discountCodes', { code: 'LAUNCH', share: 10_000 })
    const done = await buy(buyer, product, { code: 'launch', expected: '0' })
    expect(done.headers['location']).toMatch(/^\/pay\/B-/)
    expect(await ordersOf(buyer)).toMatchObject([{ state: 'paid', gross: 0 }])
    const again = await buy(buyer, other, { code: 'LAUNCH' })
    expect([again.statusCode, again.body]).toEqual([422, expect.stringContaining('Your organization has used this code already.')])
  })

  test('whoever bought the current version keeps it, gets no later one without buying again, and can buy again', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    await db.updateTable('dataProducts').set({ priceIncludes: 'version' }).where('id', '=', product.id).execute()
    const { headers } = await buy(buyer, product, { expected: '14900' })
    await pressTest(testId(headers['location']), 'pay')
    await makeDataset(product, `${csv}West,9.00\n`)
    const count = await app.inject({ url: `/api/data-products/${product.slug}/count`, headers: buyer.headers })
    expect(count.json()).toEqual({ rows: 2 })
    const asked = { downloadType: 'file', version: 2 }
    const newest = await app.inject({
      method: 'POST',
      url: `/api/data-products/${product.slug}/download`,
      headers: buyer.headers,
      payload: asked,
    })
    expect([newest.statusCode, newest.json()]).toEqual([402, expect.objectContaining({ code: 'version_not_included' })])
    expect((await buy(buyer, product, { expected: '14900' })).headers['location']).toContain('/pay/test/')
  })

  test('a subscription that is begun in two tabs at once is one, and leads to a page that charges each month; an offer that has ended is not ordered', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    const monthly = { productId: product.id, charged: 'month', currency: 'USD', amount: 1900, includes: 'feed' } as const
    const { id: offer } = await insert(db, 'productOffers', monthly)
    // In two tabs at once, by somebody whose company is not known yet.
    const tabs = await Promise.all([1, 2].map(() => buy(buyer, product, { offer, expected: '1900' })))
    expect(tabs.map(({ statusCode, headers: { location } }) => [statusCode, location])).toEqual([
      [303, tabs[0]?.headers['location']],
      [303, tabs[0]?.headers['location']],
    ])
    expect(await db.selectFrom('subscriptions').select('state').where('userId', '=', buyer.user.id).execute()).toEqual([
      { state: 'incomplete' },
    ])
    const { headers } = await buy(buyer, product, { offer, expected: '1900' })
    const page = await app.inject({ url: new URL(String(headers['location'])).pathname })
    expect(page.body).toContain('Charged again each')
    await db.updateTable('productOffers').set({ archivedAt: new Date() }).where('id', '=', offer).execute()
    expect((await buy(await signIn(), product, { offer })).statusCode).toBe(409)
  })
})

describe('error', () => {
  test('a price that changed meanwhile is shown first, and nothing is ordered', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    const refused = await buy(buyer, product, { expected: '9900' })
    expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining('The total is now $149.00.')])
    expect(await ordersOf(buyer)).toEqual([])
  })

  test('each missing thing has its sentence, and what was typed stays', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    const refused = await post(buyer, `/data-marketplace/${product.slug}/buy`, { legalName: 'Acme & Sons' })
    expect(refused.statusCode).toBe(422)
    for (const sentence of [
      'Enter your address',
      'Choose your country',
      'Accept the license',
      'we sell to businesses only',
      'Acme &amp; Sons',
    ])
      expect(refused.body).toContain(sentence)
    const inOrder = [...refused.body.matchAll(/href="#field-(\w+)"/g)].map(([, name]) => name)
    expect(inOrder).toEqual(['address', 'countryCode', 'acceptsLicence', 'isBusiness'])
    // The sentences have the focus, so that they are read out, and a phone shows them.
    expect(refused.body).toMatch(
      /<section[^>]* autofocus=""[^>]*aria-label="Errors to correct"|aria-label="Errors to correct"[^>]* autofocus=""/,
    )
    const long = await buy(buyer, product, { legalName: 'x'.repeat(201) })
    expect(long.body).toContain('Company name must be at most 200 characters')
  })

  test('a wrong discount code is told beside the price, which stays', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    const { body } = await buy(buyer, product, { intent: 'quote', code: 'NOSUCH' })
    expect(body).toContain('There is no such discount code.')
    expect(body).toContain('Buy for $149.00')
    expect((await buy(buyer, product, { code: 'NOSUCH', expected: '14900' })).statusCode).toBe(422)
    expect(await ordersOf(buyer)).toEqual([])
  })

  test('a dataset that has no data yet is not called one that is not sold', async () => {
    const [buyer, { slug }] = [await signIn(), await makeProduct({ priceCents: 14_900 })]
    const { body } = await app.inject({ url: `/data-marketplace/${slug}/buy`, headers: buyer.headers })
    expect(body).toContain('This dataset has no data yet.')
  })

  test('a card is not declined in another tab once the payment was made or is on its way, and the page says which', async () => {
    const product = await sold()
    const pressed = async (deed: 'pay' | 'delay') => {
      const { headers } = await buy(await signIn(), product, { expected: '14900' })
      const url = new URL(String(headers['location'])).pathname
      await pressTest(testId(url), deed)
      const late = await app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
        payload: 'deed=fail',
      })
      expect([late.statusCode, late.headers['location']]).toEqual([303, expect.stringMatching(/\/pay\/B-/)])
      return (await app.inject({ url })).body
    }
    expect(await pressed('pay')).toContain('This payment was made already.')
    expect(await pressed('delay')).toContain('This payment page was used already.')
  })

  test('a withdrawn dataset cannot be ordered', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    await db.updateTable('dataProducts').set({ hidden: true }).where('id', '=', product.id).execute()
    expect((await buy(buyer, product)).statusCode).toBe(404)
  })
})

describe('security', () => {
  test('readers and members do not buy, staff never pay, and nobody opens the order of another', async () => {
    const [admin, product] = [await signIn(), await sold()]
    const { id } = await organizationsOf(app).found(admin)
    const reader = await signIn()
    await db.insertInto('organizationMembers').values({ organizationId: id, userId: reader.user.id, role: 'member' }).execute()
    const inCompany = { ...reader, headers: { ...reader.headers, organization: id } }
    expect((await buy(inCompany, product)).statusCode).toBe(403)
    expect(await ordersOf(reader)).toEqual([])
    expect((await buy(staff, product)).headers['location']).toMatch(/\/buy$/)
    expect(await ordersOf(staff)).toEqual([])
    await buy(admin, product, { expected: '14900' })
    const [order] = await ordersOf(admin)
    for (const stranger of [reader, staff, await signIn('owner')]) {
      expect((await app.inject({ url: `/pay/${order?.reference}`, headers: stranger.headers })).statusCode).toBe(404)
      expect((await post(stranger, `/pay/${order?.reference}`, { intent: 'cancel' })).statusCode).toBe(404)
    }
  })
})
