import { hasOwner } from '#app/auth/users/account.server.ts'
import { env, type Env, isInboxOpen } from '#app/platform/env.server.ts'
import { identity } from '#app/content/identity.ts'

type Installation = Pick<Env, 'SITE_URL' | 'OWNER_EMAIL' | 'SMTP_URL'> & { isInboxOpen: boolean }

/** The welcome text in the terminal: the URL, the first step, and the delivery of emails. */
export async function welcome(installation: Installation = { ...env, isInboxOpen }): Promise<string> {
  const { SITE_URL, OWNER_EMAIL } = installation
  const lines = ['', `  ${identity.name} is ready at ${SITE_URL}`, '']
  if (!(await hasOwner())) {
    lines.push(`  First, create the owner: sign up${OWNER_EMAIL ? ` as ${OWNER_EMAIL}` : ''} at ${SITE_URL}/login`)
    lines.push('  and follow the link in the email.')
  }
  return [...lines, `  ${emailsHint(installation)}`, '', ''].join('\n')
}

function emailsHint({ SITE_URL, SMTP_URL, isInboxOpen: isOpen }: Installation): string {
  if (SMTP_URL) return `Emails are sent through ${new URL(SMTP_URL).host}.`
  if (isOpen) return `Read emails at ${SITE_URL}/dev/mail (SMTP_URL is not set).`
  return 'Emails stay in the outbox until SMTP_URL is set.'
}
