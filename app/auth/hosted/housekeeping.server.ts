import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'

const DAY_MS = 24 * 3600 * 1000
/** As long as the browser's cookie lives: until then an ended session is stored, so that a renewal stays refused. */
const REMEMBERED_DAYS = 180

/** The privacy policy's period for a deleted account. All its tokens have expired by then. */
const ERASED_DAYS = 30

/** After this time, a sign-up without a session is considered abandoned. */
const SIGN_UP_DAYS = 30

defineJob(
  'hosted-housekeeping',
  z.unknown(),
  async () => {
    await db
      .deleteFrom('hostedSessions')
      .where('lastSeenAt', '<', new Date(Date.now() - REMEMBERED_DAYS * DAY_MS))
      .execute()
    await db
      .deleteFrom('hostedAccounts')
      .where('deletedAt', '<', new Date(Date.now() - ERASED_DAYS * DAY_MS))
      .execute()
    await db
      .deleteFrom('hostedSignUps')
      .where('createdAt', '<', new Date(Date.now() - SIGN_UP_DAYS * DAY_MS))
      .execute()
  },
  { every: 'day' },
)
