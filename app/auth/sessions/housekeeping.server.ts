import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { purgeRefreshTokens } from './refresh-token.server.ts'

const DAY_MS = 24 * 3600 * 1000
/** No session is used after this: the browser's cookie has expired. */
const SESSION_DAYS = 180
/** Only the browser of an anonymous account could use it. */
const ANONYMOUS_DAYS = 30

// Deletes tokens, flows, sessions and anonymous accounts that can no longer be used.
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

/** Ignores the flag: an account is anonymous while it has no address and no sign-in method. A permanent one is never deleted here. */
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
