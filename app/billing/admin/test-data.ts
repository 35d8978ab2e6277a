import { z } from 'zod/mini'
import { BILLING } from './desk.ts'

/** Everything that was paid at the provider of tests. */
export const TEST_DATA = `${BILLING}/test-data`

const count = z.int('This must be a number')

export const testData = z.object({ orders: count, invoices: count, payments: count, subscriptions: count })

export type TestData = z.infer<typeof testData>

/** How many orders the question named: with more by now, it is asked again. */
export const removalBody = z.pick(testData, { orders: true })
