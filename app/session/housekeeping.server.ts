import { z } from 'zod'
import { db } from '#app/platform/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { purgeRefreshTokens } from './refresh-token.server.ts'

const DAY_MS = 24 * 3600 * 1000
/** Nobody comes back to a session after this: the browser has forgotten its cookie. */
const SESSION_DAYS = 180

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
  },
  { every: 'day' },
)
