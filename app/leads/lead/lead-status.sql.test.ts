import { beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { forgetAllEvents } from '#test/audit.ts'
import { startEndpoints } from '#test/app.ts'
import { makeContact, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
beforeEach(async () => {
  await db.deleteFrom('contacts').execute()
  await forgetAllEvents()
})

type Part = 'answer' | 'proposal'

const press = async (
  method: 'POST' | 'DELETE',
  id: string,
  part: Part,
  payload?: object,
  headers: Record<string, string> = staff.headers,
) => app.inject({ method, url: `/api/contacts/${id}/${part}`, headers, ...(payload && { payload }) })
const actions = async () => await db.selectFrom('auditEvents').select(['action', 'actorId', 'subjectId']).orderBy('id').execute()

describe('happy', () => {
  test('a proposal that is sent ends its clock and answers the enquiry; taking it back restarts both', async () => {
    const { id } = await makeContact()
    const sent = (await press('POST', id, 'proposal', { proposal: 'sent' })).json()
    expect(sent).toEqual({ proposal: 'sent', proposalSettledAt: expect.any(String), answeredAt: sent.proposalSettledAt })

    expect((await press('DELETE', id, 'proposal')).json()).toEqual({ proposal: null, proposalSettledAt: null, answeredAt: null })
  })

  test('taking back a proposal keeps an answer that was there before', async () => {
    const { id } = await makeContact()
    const { answeredAt } = (await press('POST', id, 'answer')).json()
    await press('POST', id, 'proposal', { proposal: 'sent' })
    expect((await press('DELETE', id, 'proposal')).json()).toEqual({ proposal: null, proposalSettledAt: null, answeredAt })
  })

  test('that none is needed ends the clock of the proposal, and answers nobody', async () => {
    const { id } = await makeContact()
    expect((await press('POST', id, 'proposal', { proposal: 'not_needed' })).json()).toMatchObject({
      proposal: 'not_needed',
      answeredAt: null,
    })
  })

  test('each change is logged once with its actor, however often it is repeated', async () => {
    const { id } = await makeContact()
    await Promise.all([press('POST', id, 'answer'), press('POST', id, 'answer'), press('POST', id, 'answer')])
    await press('POST', id, 'proposal', { proposal: 'sent' })
    await press('POST', id, 'proposal', { proposal: 'not_needed' })
    await press('DELETE', id, 'proposal')
    await press('DELETE', id, 'answer')
    await press('DELETE', id, 'answer')
    const by = { actorId: staff.user.id, subjectId: id }
    expect(await actions()).toEqual(
      ['enquiry_answered', 'proposal_sent', 'proposal_taken_back', 'enquiry_answer_taken_back'].flatMap((action) =>
        [action, 'lead_stage_changed'].map((each) => ({ action: each, ...by })),
      ),
    )
  })

  test('customers read that their proposal is out', async () => {
    const customer = await signIn('customer', { email: 'grace@example.com' })
    const { id } = await makeContact({ email: 'grace@example.com' })
    const own = async () => (await app.inject({ url: '/api/me/enquiries', headers: customer.headers })).json()
    expect(await own()).toMatchObject([{ stage: 'received', owesProposal: true }])
    await press('POST', id, 'proposal', { proposal: 'sent' })
    expect(await own()).toMatchObject([{ stage: 'proposal', owesProposal: false }])
  })

  test('the list can be of those to whom a proposal is owed', async () => {
    const { id } = await makeContact()
    await makeContact({ proposal: 'sent', proposalSettledAt: new Date() })
    const list = await app.inject({ url: '/api/contacts?filter=unproposed', headers: staff.headers })
    expect(list.json()).toMatchObject({ total: 1, items: [{ id }] })
  })
})

describe('error', () => {
  test('an answer cannot be taken back while the proposal is out', async () => {
    const { id } = await makeContact()
    await press('POST', id, 'proposal', { proposal: 'sent' })
    const reply = await press('DELETE', id, 'answer')
    expect(reply.statusCode).toBe(409)
    expect(reply.json().detail).toBe('Sending the proposal counts as the reply. Reopen the proposal first.')
  })

  test('an unknown enquiry is not found, and an unknown outcome is refused', async () => {
    for (const part of ['answer', 'proposal'] as const) expect((await press('DELETE', newId(), part)).statusCode).toBe(404)
    const { id } = await makeContact()
    const reply = await press('POST', id, 'proposal', { proposal: 'perhaps' })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().errors).toEqual({ proposal: 'must be sent or not_needed' })
  })
})

describe('security', () => {
  test.each([
    ['POST', 'answer'],
    ['DELETE', 'answer'],
    ['POST', 'proposal'],
    ['DELETE', 'proposal'],
  ] as const)('%s %s is closed to strangers, customers and other sites', async (method, part) => {
    const { id } = await makeContact()
    const payload = part === 'proposal' ? { proposal: 'sent' } : undefined
    const tryAs = async (headers: Record<string, string>) => (await press(method, id, part, payload, headers)).statusCode
    expect(await tryAs({ 'sec-fetch-site': 'same-origin' })).toBe(401)
    expect(await tryAs((await signIn('customer')).headers)).toBe(403)
    expect(await tryAs({ ...staff.headers, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).toBe(403)
    expect((await actions()).filter(({ action }) => action !== 'access_refused')).toEqual([])
  })
})
