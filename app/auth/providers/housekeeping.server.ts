import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'

// Their messages have expired, so they would be refused anyway.
defineJob(
  'wallet-housekeeping',
  z.unknown(),
  async () => void (await db.deleteFrom('spentSignatures').where('expiresAt', '<', new Date()).execute()),
  { every: 'day' },
)
