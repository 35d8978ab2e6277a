import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'

const DAY_MS = 24 * 3600 * 1000

// Deletes expired challenges and unfinished enrolments.
defineJob(
  'factor-housekeeping',
  z.unknown(),
  async () => {
    const yesterday = new Date(Date.now() - DAY_MS)
    await db.deleteFrom('mfaChallenges').where('createdAt', '<', yesterday).execute()
    await db.deleteFrom('mfaFactors').where('status', '=', 'unverified').where('createdAt', '<', yesterday).execute()
  },
  { every: 'day' },
)

const HOUR_MS = 3600 * 1000

// Deletes challenges long after they expired.
defineJob(
  'passkey-housekeeping',
  z.unknown(),
  async () =>
    void (await db
      .deleteFrom('passkeyChallenges')
      .where('createdAt', '<', new Date(Date.now() - HOUR_MS))
      .execute()),
  { every: 'hour' },
)
