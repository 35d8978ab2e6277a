import { hasOwner } from '#app/identity/owner.server.ts'
import { env, type Env, isInboxOpen } from '#app/platform/env.server.ts'
import { identity } from '#app/site/content/identity.ts'

type Installation = Pick<Env, 'SITE_URL' | 'OWNER_EMAIL' | 'SMTP_URL'> & { isInboxOpen: boolean }

/** What the terminal says once the server answers: where it is, what to do first, and where letters go. */
export async function welcome(installation: Installation = { ...env, isInboxOpen }): Promise<string> {
  const { SITE_URL, OWNER_EMAIL } = installation
  const lines = ['', `  ${identity.name} is ready at ${SITE_URL}`, '']
  if (!(await hasOwner())) {
    lines.push(`  First, create the owner: sign up${OWNER_EMAIL ? ` as ${OWNER_EMAIL}` : ''} at ${SITE_URL}/login`)
    lines.push('  and follow the link in the letter.')
  }
  return [...lines, `  ${lettersHint(installation)}`, '', ''].join('\n')
}

function lettersHint({ SITE_URL, SMTP_URL, isInboxOpen: isOpen }: Installation): string {
  if (SMTP_URL) return `Letters leave through ${new URL(SMTP_URL).host}.`
  if (isOpen) return `Letters wait at ${SITE_URL}/dev/mail (no SMTP_URL is set).`
  return 'Letters wait in the outbox until SMTP_URL is set.'
}
