import { defineEmail } from '#app/mail/email.server.ts'
import { EmailHeading, Facts, Paragraph } from '#app/mail/layout.tsx'
import { renderEmail } from '#app/mail/render.server.tsx'
import { noteMailTest } from '#app/mail/mail-test.server.ts'
import { deliver } from '#app/mail/transport.server.ts'
import { env } from '#app/platform/env.server.ts'
import { JobFailure } from '#app/platform/jobs.server.ts'
import { newId } from '#app/platform/database/db.server.ts'

type TestEmail = { at: string }

/** Shows the owner that the mail server accepts emails and delivers them. */
export const testEmail = defineEmail<TestEmail>('test', ({ at }) => ({
  subject: 'Your mail server works',
  preview: 'A test from the settings of your site.',
  body: (
    <>
      <EmailHeading>Your mail server works</EmailHeading>
      <Paragraph>You asked for this test under Settings. Emails to your visitors and customers take the same way.</Paragraph>
      <Facts rows={[['Sent', at]]} />
    </>
  ),
}))

/** Milliseconds. A person waits for the outcome. */
const PATIENCE_MS = 25_000

/** Sends the test within the request and tells how the mail server answered. */
export async function sendTestEmail(to: string): Promise<{ sent: boolean; to: string; message: string }> {
  const { kind, data } = testEmail(to, { at: new Date().toISOString() })
  const host = new URL(env.SITE_URL).hostname
  try {
    const rendered = await renderEmail(kind, JSON.stringify(data))
    await deliver({ ...rendered, to, messageId: `<${newId()}@${host}>` }, AbortSignal.timeout(PATIENCE_MS))
    await noteMailTest()
    return { sent: true, to, message: 'The mail server accepted the test. Check your mailbox, and the spam folder.' }
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error
    return { sent: false, to, message: error.message }
  }
}
