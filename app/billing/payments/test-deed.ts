import { z } from 'zod/mini'

/** The buttons of the test provider’s page. */
export const testDeeds = ['pay', 'fail', 'delay', 'delayFail', 'duplicate', 'cancel'] as const

export const testDeed = z.enum(testDeeds, 'Choose what happens')

export type TestDeed = z.infer<typeof testDeed>
