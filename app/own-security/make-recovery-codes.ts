import { apiRequest } from '#app/platform/api.ts'
import { z } from 'zod/mini'

export const RECOVERY_CODES = '/api/account/recovery-codes'

const made = z.object({ codes: z.array(z.string()) })

/** Makes new recovery codes, in place of those before. They are answered here and never again. */
export async function makeRecoveryCodes(): Promise<string[]> {
  return made.parse(await (await apiRequest('POST', RECOVERY_CODES)).json()).codes
}
