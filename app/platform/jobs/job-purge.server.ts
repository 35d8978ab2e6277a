import { z } from 'zod'
import { purgeJobs } from './job-queue.server.ts'
import { defineJob, jobKinds } from '#app/platform/jobs.server.ts'

defineJob(
  'jobs.purge',
  z.null(),
  async () => {
    for (const [kind, { keepDays }] of jobKinds()) await purgeJobs(kind, keepDays)
  },
  { every: 'day' },
)
