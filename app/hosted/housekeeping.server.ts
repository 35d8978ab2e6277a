import { z } from 'zod'
import { db } from '#app/platform/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'

const DAY_MS = 24 * 3600 * 1000
/** As long as a browser keeps its cookie: until then an ended session is remembered, so that nothing that it renews opens anything. */
const REMEMBERED_DAYS = 180

/** The privacy policy's word for an account that was closed. No token of it is good any more by then. */
const ERASED_DAYS = 30

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
  },
  { every: 'day' },
)
