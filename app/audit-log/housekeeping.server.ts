import { z } from 'zod'
import { forgetEvents } from '#app/identity/audit.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { terms } from '#app/site/content/terms.ts'

// What nobody needs any more to see through misuse is forgotten, as the privacy policy says.
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
