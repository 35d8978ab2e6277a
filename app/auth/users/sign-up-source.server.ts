import { db } from '#app/platform/database/db.server.ts'
import type { Source } from '#app/platform/http/source.ts'

/** Of a sign-up whose account has just been made. A repeated sign-up changes nothing. */
const JUST_MADE_MS = 60_000

/** Keeps where a new account came from. It is the same work for a known address, so its time tells nothing. */
export async function noteSignUpSource(email: string, source: Source): Promise<void> {
  await db
    .updateTable('users')
    .set({ cameFrom: JSON.stringify(source) })
    .where('email', '=', email)
    .where('cameFrom', 'is', null)
    .where('createdAt', '>', new Date(Date.now() - JUST_MADE_MS))
    .execute()
}
