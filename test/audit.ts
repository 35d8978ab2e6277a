import { forgetEvents } from '#app/auth/users/audit.server.ts'

/** Empties the audit log, as its retention does after two years. */
export async function forgetAllEvents(): Promise<void> {
  await forgetEvents(new Date(Date.now() + 60_000))
}
