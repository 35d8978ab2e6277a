import { beforeEach, expect, test } from 'vitest'
import { newId } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import { codeOf, eventsOf, records, organizationsOf } from '#test/organizations.ts'

const app = await startEndpoints()
const { added, call, domainsOf, found } = organizationsOf(app)
const staff = await signIn('staff')
beforeEach(closeLimits)

test('an admin adds a domain, sets its record, and the check proves it; a removal can be undone', async () => {
  const admin = await signIn()
  const { id } = await found(admin)
  const name = `acme-${newId()}.example`
  const { place, challenge, check } = await added(admin, id, name)
  expect(challenge).toMatch(/^winnow-verification=[\w-]{24}$/)
  expect([(await check()).statusCode, codeOf(await check())]).toEqual([409, 'record_missing'])
  records.set(name, ['another record'])
  expect(codeOf(await check())).toBe('record_missing')
  records.set(name, Object.assign(new Error('timeout'), { code: 'ETIMEOUT' }))
  expect([(await check()).statusCode, codeOf(await check())]).toEqual([503, 'dns_away'])
  records.set(name, ['v=spf1 -all', challenge])
  expect((await check()).json()).toMatchObject([{ domain: name, provenBy: 'dns' }])

  expect((await call(admin, 'DELETE', place)).statusCode).toBe(204)
  expect(await domainsOf(admin, id)).toEqual([])
  expect((await call(admin, 'POST', `${place}/restore`)).json()).toMatchObject([{ domain: name, challenge, provenBy: 'dns' }])
  expect((await eventsOf(id)).filter((action) => action.includes('domain'))).toEqual([
    'organization_domain_added',
    'organization_domain_proven',
    'organization_domain_removed',
    'organization_domain_restored',
  ])
  // Added again after a removal, it has to be proven again, with the record that is already set.
  await call(admin, 'DELETE', place)
  expect(await added(admin, id, name)).toMatchObject({ challenge, provenAt: null })
})

test('staff confirm a domain by hand, others cannot', async () => {
  const admin = await signIn()
  const { id } = await found(admin)
  const { place } = await added(admin, id, `acme-${newId()}.example`)
  expect((await call(admin, 'POST', `${place}/prove`)).statusCode).toBe(403)
  expect((await call(staff, 'POST', `${place}/prove`)).json()).toMatchObject([{ provenBy: 'staff' }])
})

test('an address is read as its domain; public mail, nonsense and a second time are refused at the field', async () => {
  const admin = await signIn()
  const { id } = await found(admin)
  const add = (text: string) => call(admin, 'POST', `/api/organizations/${id}/domains`, { domain: text })
  for (const text of [' HTTPS://Müller-Werke.de/kontakt ', 'ada@shop.example.', 'x.co.uk']) expect((await add(text)).statusCode).toBe(201)
  expect((await domainsOf(admin, id)).map((each) => each.domain)).toEqual(['shop.example', 'x.co.uk', 'xn--mller-werke-thb.de'])
  for (const text of ['gmail.com', 'GoogleMail.com', 'outlook.fr', 'yahoo.co.uk', 'gmx.de', 'web.de', 'shop.example']) {
    const reply = await add(text)
    expect([text, reply.statusCode, typeof reply.json().errors.domain]).toEqual([text, 422, 'string'])
  }
  for (const text of ['', 'localhost', '127.0.0.1', 'a b.example', '-.example', `${'a'.repeat(64)}.example`, '[::1]'])
    expect([text, (await add(text)).statusCode]).toEqual([text, 422])
})

test('of two organizations that prove one domain, the second is refused, also after an undo', async () => {
  const [one, other] = [await signIn(), await signIn()]
  const [first, second] = [await found(one), await found(other)]
  const name = `acme-${newId()}.example`
  const [mine, theirs] = [await added(one, first.id, name), await added(other, second.id, name)]
  records.set(name, [mine.challenge, theirs.challenge])
  const replies = await Promise.all([mine.check(), theirs.check()])
  expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409])
  const [winner, loser] = replies[0]?.statusCode === 200 ? [mine, theirs] : [theirs, mine]
  const [admin, rival] = winner === mine ? [one, other] : [other, one]
  const refused = await loser.check()
  expect([codeOf(refused), refused.json().detail]).toEqual([
    'domain_taken',
    `${name} was proven by another organization. If it is yours, please contact us.`,
  ])
  await call(admin, 'DELETE', winner.place)
  expect((await loser.check()).statusCode).toBe(200)
  expect(codeOf(await call(admin, 'POST', `${winner.place}/restore`))).toBe('domain_taken')
  expect(await domainsOf(rival, winner === mine ? second.id : first.id)).toMatchObject([{ domain: name, provenBy: 'dns' }])
})
