import { z } from 'zod'
import { forgetEvents } from '#app/auth/users/audit.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { terms } from '#app/content/terms.ts'

// Deletes events that abuse protection no longer needs, as the privacy policy says.
defineJob(
  'audit-housekeeping',
  z.unknown(),
  async () => {
    const end = new Date()
    end.setUTCMonth(end.getUTCMonth() - terms.auditMonths)
    await forgetEvents(end)
  },
  { every: 'day' },
)
