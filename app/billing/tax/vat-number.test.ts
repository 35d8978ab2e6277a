import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => (process.env.PAYMENTS = 'transfer'))

import { db, transaction } from '#app/platform/database/db.server.ts'
import { issueInvoice } from '#app/billing/invoices/invoice.server.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import { berlin, makeCompany, makeOrder, saveBilling } from '#test/invoices.ts'
import { jobOf } from '#test/job.ts'
import { noticesAbout, organizationsOf } from '#test/organizations.ts'
import { learnedVatState, learnVatNumber, proveVatNumber, refreshVatNumber, vies } from './vat-number.server.ts'

const app = await startEndpoints()
const { call, found } = organizationsOf(app)
const asked: string[] = []
let answer: Awaited<ReturnType<typeof vies.ask>>

beforeAll(async () => {
  await saveBilling(berlin)
  vies.ask = async (number) => {
    asked.push(number)
    return answer
  }
})
beforeEach(() => {
  asked.length = 0
  answer = { state: 'valid', consultation: 'WAPIAAAAY1' }
})

const checksOf = (organizationId: string) =>
  db
    .selectFrom('vatChecks')
    .select(['vatNumber', 'state', 'consultation', 'failure'])
    .where('organizationId', '=', organizationId)
    .orderBy('id')
    .execute()
const stateOf = (id: string) =>
  db.selectFrom('organizations').select(['vatState', 'vatConsultation']).where('id', '=', id).executeTakeFirstOrThrow()
const check = (organizationId: string) =>
  jobOf('organizations.check-vat').run({ organizationId }, { id: '', attempt: 1, signal: AbortSignal.timeout(1000) })

describe('happy', () => {
  test('a number that an admin enters is checked, the consultation is kept, and the page says so', async () => {
    const admin = await signIn()
    const { id, version } = await found(admin)
    await call(admin, 'PATCH', `/api/organizations/${id}`, { version, vatNumber: 'FR 83404833048', countryCode: 'FR' })
    const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'organizations.check-vat').execute()
    expect(jobs.map(({ payload }) => payload)).toContainEqual({ organizationId: id })
    await check(id)
    expect(asked).toEqual(['FR83404833048'])
    expect(await stateOf(id)).toEqual({ vatState: 'valid', vatConsultation: 'WAPIAAAAY1' })
    expect((await call(admin, 'GET', `/api/organizations/${id}`)).json()).toMatchObject({
      vatState: 'valid',
      vatCheckedAt: expect.any(String),
    })
    // Confirmed within a day, it is not asked about again.
    await refreshVatNumber(id)
    expect(asked).toHaveLength(1)
  })

  test('the number of a company that is not here yet is asked about once', async () => {
    expect(learnedVatState('FR83404833048')).toBe('not_checked')
    await learnVatNumber('FR83404833048')
    await learnVatNumber('FR83404833048')
    await learnVatNumber('DE123456789')
    expect([asked, learnedVatState('FR83404833048'), learnedVatState('DE123456789')]).toEqual([['FR83404833048'], 'valid', 'invalid'])
  })
})

describe('error', () => {
  test('a number that stops being valid: the admins are told once, with the way to correct it; the page says since when', async () => {
    const admin = await signIn()
    const { id, version } = await found(admin)
    await call(admin, 'PATCH', `/api/organizations/${id}`, { version, vatNumber: 'FR83404833048' })
    await check(id)
    answer = { state: 'invalid', consultation: 'W3' }
    await check(id)
    await check(id)
    expect(await noticesAbout(id)).toEqual([
      expect.objectContaining({
        title: 'The VAT number FR83404833048 of Acme Retail is not valid',
        link: '/account/organization#facts',
        to: { userIds: [admin.user.id] },
      }),
    ])
    expect((await call(admin, 'GET', `/api/organizations/${id}`)).json()).toMatchObject({
      vatState: 'invalid',
      vatCheckedAt: expect.any(String),
    })
  })

  test('a number with a typing error is invalid without a question', async () => {
    const { id } = await makeCompany({ vatNumber: 'DE123456789', vatState: 'not_checked' })
    await check(id)
    expect([asked, await stateOf(id)]).toEqual([[], { vatState: 'invalid', vatConsultation: null }])
  })

  test('without an answer the job tries again, what was known stays, and each attempt is noted', async () => {
    answer = { state: 'not_checked', failure: 'The register of the EU has no answer now.' }
    const [fresh, known] = [await makeCompany({ vatState: 'not_checked' }), await makeCompany({ vatConsultation: 'W1' })]
    await expect(check(fresh.id)).rejects.toThrow('no answer now')
    await refreshVatNumber(known.id)
    expect(await stateOf(known.id)).toEqual({ vatState: 'valid', vatConsultation: 'W1' })
    expect(await checksOf(fresh.id)).toEqual([
      { vatNumber: 'FR83404833048', state: 'not_checked', consultation: '', failure: expect.stringContaining('no answer') },
    ])
  })

  test('staff are told when the number behind an invoice without tax is no longer valid', async () => {
    const buyer = await makeCompany()
    const order = await makeOrder(buyer)
    const issued = await transaction((trx) => issueInvoice(trx, order.id, 'invoice'))
    answer = { state: 'invalid', consultation: 'W2' }
    await proveVatNumber({ ...issued, organizationId: buyer.id })
    const told = await db
      .selectFrom('jobs')
      .select('payload')
      .where('dedupeKey', '=', `notifications.tell:vat-invalid:${issued.id}`)
      .execute()
    expect(told).toMatchObject([{ payload: { title: `The VAT number behind ${issued.number} is not valid` } }])
    expect(await db.selectFrom('vatChecks').select('invoiceId').where('organizationId', '=', buyer.id).execute()).toEqual([
      { invoiceId: issued.id },
    ])
  })
})
