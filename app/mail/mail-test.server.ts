import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'

/** Remembers that the mail server of the settings has accepted a test email. */
export async function noteMailTest(): Promise<void> {
  await db
    .updateTable('installation')
    .set({ testedMailServer: serverOf(env.SMTP_URL) })
    .execute()
}

/** Whether a mail server is set and has accepted a test email. Another server needs another test. */
export async function isMailTested(): Promise<boolean> {
  const server = serverOf(env.SMTP_URL)
  if (server === null) return false
  const { testedMailServer } = await db.selectFrom('installation').select('testedMailServer').executeTakeFirstOrThrow()
  return testedMailServer === server
}

/** Without its user and password. */
function serverOf(url: string | undefined): string | null {
  return url ? new URL(url).host : null
}
