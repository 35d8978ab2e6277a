import { apiRequest } from '#app/platform/browser/api.ts'
import { z } from 'zod/mini'

export const RECOVERY_CODES = '/api/account/recovery-codes'

const made = z.object({ codes: z.array(z.string()) })

/** Replaces the recovery codes. The new ones are returned only here. */
export async function requestRecoveryCodes(): Promise<string[]> {
  return made.parse(await (await apiRequest('POST', RECOVERY_CODES)).json()).codes
}
