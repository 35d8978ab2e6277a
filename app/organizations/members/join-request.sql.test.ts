import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { db, newId } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { codeOf, noticesAbout, organizationsOf } from '#test/organizations.ts'
import { joinRequest, offer } from './join-request.ts'

const app = await startEndpoints()
const { added, call, domainsOf, found, proven } = organizationsOf(app)
beforeEach(closeLimits)

const offers = async (who: SignedIn) => z.array(offer).parse((await call(who, 'GET', '/api/organization-offers')).json())
const ask = (who: SignedIn, id: string) => call(who, 'POST', `/api/organization-offers/${id}/ask`)
const requests = async (admin: SignedIn, id: string) =>
  z.array(joinRequest).parse((await call(admin, 'GET', `/api/organizations/${id}/join-requests`)).json())

test('a person with a proven address there asks; an admin chooses the role; nobody joins before', async () => {
  const admin = await signIn()
  const { id } = await found(admin)
  const name = await proven(admin, id)
  const person = await signIn('customer', { email: `grace-${newId()}@${name}` })
  expect(await offers(person)).toEqual([{ id, name: 'Acme Retail', isAsked: false, mayAskFrom: null }])
  expect((await call(person, 'GET', `/api/organizations/${id}`)).statusCode).toBe(404)

  expect((await Promise.all([ask(person, id), ask(person, id), ask(person, id)])).map(({ statusCode }) => statusCode)).toEqual([
    200, 200, 200,
  ])
  expect(await offers(person)).toMatchObject([{ isAsked: true }])
  const [asked, ...others] = await requests(admin, id)
  expect(others).toEqual([])
  expect(asked).toMatchObject({ email: person.user.email, name: 'Ada' })
  const title = `${person.user.email} asks to join Acme Retail`
  expect(await noticesAbout(asked?.id ?? '')).toMatchObject([{ kind: 'organization', title, to: { userIds: [admin.user.id] } }])

  const accept = () => call(admin, 'POST', `/api/organizations/${id}/join-requests/${asked?.id}/accept`, { role: 'buyer' })
  expect((await accept()).json()).toEqual([])
  expect((await accept()).statusCode).toBe(404)
  expect((await call(person, 'GET', `/api/organizations/${id}`)).json()).toMatchObject({ role: 'buyer' })
  expect((await noticesAbout(asked?.id ?? '')).at(-1)).toMatchObject({ to: { userIds: [person.user.id] } })
  expect(await offers(person)).toEqual([])
})

test('a declined person may ask again after 30 days', async () => {
  const admin = await signIn()
  const { id } = await found(admin)
  const person = await signIn('customer', { email: `grace-${newId()}@${await proven(admin, id)}` })
  await ask(person, id)
  const [asked] = await requests(admin, id)
  await call(admin, 'POST', `/api/organizations/${id}/join-requests/${asked?.id}/decline`)
  expect((await noticesAbout(asked?.id ?? '')).at(-1)).toMatchObject({ title: 'Acme Retail declined your request to join' })
  expect(codeOf(await ask(person, id))).toBe('declined_before')
  expect((await offers(person))[0]?.mayAskFrom).not.toBeNull()
  const longAgo = new Date(Date.now() - 31 * 86_400_000)
  await db.updateTable('organizationJoinRequests').set({ settledAt: longAgo }).where('userId', '=', person.user.id).execute()
  expect((await ask(person, id)).json()).toMatchObject([{ isAsked: true }])
})

test('whoever is invited while they wait has no open request any more', async () => {
  const admin = await signIn()
  const { id } = await found(admin)
  const person = await signIn('customer', { email: `grace-${newId()}@${await proven(admin, id)}` })
  await ask(person, id)
  await call(admin, 'POST', `/api/organizations/${id}/invitations`, { email: person.user.email, role: 'member' })
  const [invited] = (await call(person, 'GET', '/api/organization-invitations')).json()
  expect((await call(person, 'POST', `/api/organization-invitations/${invited.id}/accept`, {})).statusCode).toBe(200)
  expect(await requests(admin, id)).toEqual([])
})

test('nothing is offered for an unproven address, an unproven or removed domain, or a closed or suspended organization', async () => {
  const admin = await signIn()
  const { id } = await found(admin)
  const name = await proven(admin, id)
  const email = () => `grace-${newId()}@${name}`
  const assumed = await signIn('customer', { email: email(), emailAssumed: true })
  const sub = await signIn('customer', { email: `grace@mail-${newId()}.${name}` })
  const person = await signIn('customer', { email: email() })
  expect(await Promise.all([assumed, sub, admin].map((each) => offers(each)))).toEqual([[], [], []])
  expect((await ask(assumed, id)).statusCode).toBe(404)
  const pending = await added(admin, id, `open-${newId()}.example`)
  expect(await offers(await signIn('customer', { email: `grace@${pending.domain}` }))).toEqual([])
  for (const state of ['suspended', 'closed'] as const) {
    await db.updateTable('organizations').set({ state }).where('id', '=', id).execute()
    expect(await offers(person)).toEqual([])
  }
  await db.updateTable('organizations').set({ state: 'active' }).where('id', '=', id).execute()
  expect(await offers(person)).toHaveLength(1)
  const [held] = await domainsOf(admin, id).then((all) => all.filter((each) => each.domain === name))
  await call(admin, 'DELETE', `/api/organizations/${id}/domains/${held?.id}`)
  expect(await offers(person)).toEqual([])
})
