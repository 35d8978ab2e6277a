import { type JobKind, jobKinds } from '#app/platform/jobs.server.ts'

/** The work of a kind of job. Fails where no module that defines it is loaded: a test of work that never ran would pass. */
export function jobOf(kind: string): JobKind {
  const job = jobKinds().get(kind)
  if (!job) throw new Error(`No loaded module defines the job ${kind}.`)
  return job
}
