import { z } from 'zod/mini'

/** What can happen at the page of the test provider. */
export const testDeeds = ['pay', 'fail', 'delay', 'delayFail', 'duplicate', 'cancel'] as const

export const testDeed = z.enum(testDeeds, 'Choose what happens')

export type TestDeed = z.infer<typeof testDeed>
