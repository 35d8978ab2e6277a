import { addTestObject, changeTestObject, findTestObject, testId, type TestObjects } from '#app/billing/payments/test-objects.server.ts'
import { changeAndTell } from '#app/billing/payments/test-provider.server.ts'
import { stop } from '#app/platform/errors/stop.ts'

/** As Stripe takes for a dispute. */
const FEE = 2000

/** Begins or decides a dispute of a test payment, as a bank would. Returns the id of the dispute. */
export async function disputeTestPayment(paymentId: string, state: TestObjects['dispute']['state']): Promise<string> {
  const id = testId('dispute', paymentId)
  await changeAndTell(async (trx) => {
    const payment = await findTestObject('payment', paymentId, trx)
    if (payment?.state !== 'succeeded') return stop('notFound', 'There is no such payment at the test provider.')
    const known = await findTestObject('dispute', id, trx)
    const fee = state === 'inquiry' ? 0 : FEE
    const { amount, currency } = payment
    const facts = { paymentId, amount, currency, reason: 'fraudulent', evidenceDueAt: new Date(Date.now() + 7 * 86_400_000) }
    if (known) await changeTestObject(trx, 'dispute', id, { ...known, state, fee: Math.max(known.fee, state === 'won' ? known.fee : fee) })
    else await addTestObject(trx, 'dispute', { ...facts, state, fee }, id)
    return [{ kind: `dispute.${state}`, objectKind: 'dispute', objectId: id }]
  })
  return id
}

/** A bank returns a refund days later. */
export async function failTestRefund(id: string): Promise<void> {
  await changeAndTell(async (trx) => {
    const refund = (await findTestObject('refund', id, trx)) ?? stop('notFound', 'There is no such refund at the test provider.')
    await changeTestObject(trx, 'refund', id, { ...refund, state: 'failed', failure: 'The account is closed.' })
    return [{ kind: 'refund.failed', objectKind: 'refund', objectId: id }]
  })
}
