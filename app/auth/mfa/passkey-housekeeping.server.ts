import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'

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
