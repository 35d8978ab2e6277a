import { z } from 'zod'
import { db } from '#app/platform/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { purgeRefreshTokens } from './refresh-token.server.ts'

const DAY_MS = 24 * 3600 * 1000
/** Nobody comes back to a session after this: the browser has forgotten its cookie. */
const SESSION_DAYS = 180
/** Nor to an account that only this browser could open. */
const ANONYMOUS_DAYS = 30

// What can no longer open anything is forgotten.
defineJob(
  'identity-housekeeping',
  z.unknown(),
  async () => {
    const yesterday = new Date(Date.now() - DAY_MS)
    await purgeRefreshTokens(yesterday)
    await db.deleteFrom('oneTimeTokens').where('issuedAt', '<', yesterday).execute()
    await db.deleteFrom('flowStates').where('createdAt', '<', yesterday).execute()
    await db
      .deleteFrom('sessions')
      .where('refreshedAt', '<', new Date(Date.now() - SESSION_DAYS * DAY_MS))
      .execute()
    await forgetAnonymous(new Date(Date.now() - ANONYMOUS_DAYS * DAY_MS))
  },
  { every: 'day' },
)

/** An account is anonymous while it has no address and no way to sign in, whatever its flag says: a permanent one is never deleted here. */
async function forgetAnonymous(before: Date): Promise<void> {
  await db
    .deleteFrom('users')
    .where('email', 'is', null)
    .where('phone', 'is', null)
    .where('deletedAt', 'is', null)
    .where('createdAt', '<', before)
    .where((user) =>
      user.not(user.exists(user.selectFrom('identities').select('identities.id').whereRef('identities.userId', '=', 'users.id'))),
    )
    .where((user) =>
      user.not(
        user.exists(
          user.selectFrom('sessions').select('sessions.id').whereRef('sessions.userId', '=', 'users.id').where('refreshedAt', '>', before),
        ),
      ),
    )
    .execute()
}
