import { renderToStaticMarkup } from 'react-dom/server'
import { env } from '#app/platform/env.server.ts'
import { identity } from '#app/content/identity.ts'
import { EmailSheet, PersonalSheet } from './layout.tsx'
import { type EmailCalendar, type EmailFile, type PersonalEmail, writeEmail } from './email.server.ts'
import type { EnqueuedEmail } from './outbox.server.ts'

/** An email as it is sent. */
export type RenderedEmail = {
  subject: string
  html: string
  text: string
  replyTo?: string
  calendar?: EmailCalendar
  files?: readonly EmailFile[]
  personal?: PersonalEmail
}

export type AddressedEmail = RenderedEmail & { to: string; messageId: string; headers?: Record<string, string> }

/** Renders an email of the outbox from its content. */
export async function renderEnqueued({ kind, to, messageId, replyTo }: EnqueuedEmail, content: string): Promise<AddressedEmail> {
  return { ...(replyTo && { replyTo }), ...(await renderEmail(kind, content)), to, messageId }
}

/** Renders an email to HTML and derives the plain text from it. */
export async function renderEmail(kind: string, json: string): Promise<RenderedEmail> {
  const { subject, preview, body, replyTo, calendar, files, personal } = writeEmail(kind, json)
  const sender = { name: identity.name, tagline: identity.tagline, email: identity.email, siteUrl: env.SITE_URL }
  const sheet = renderToStaticMarkup(
    personal ? (
      <PersonalSheet subject={subject}>{body}</PersonalSheet>
    ) : (
      <EmailSheet subject={subject} preview={preview} sender={sender}>
        {body}
      </EmailSheet>
    ),
  )
  return {
    subject,
    html: `<!doctype html>${sheet}`,
    text: await toPlainText(sheet),
    ...(replyTo && { replyTo }),
    ...(calendar && { calendar }),
    ...(files && { files }),
    ...(personal && { personal }),
  }
}

/** The library is loaded with the first email, not at each start. */
async function toPlainText(html: string): Promise<string> {
  const { convert } = await import('html-to-text')
  return `${convert(html, {
    wordwrap: false,
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: '[data-skip-in-text=true]', format: 'skip' },
      // The brackets keep the full stop after a URL outside of it.
      { selector: 'a', options: { linkBrackets: ['<', '>'], hideLinkHrefIfSameAsText: true } },
      { selector: 'h1', options: { uppercase: false } },
      { selector: '[data-text-format="facts"]', format: 'dataTable', options: { uppercaseHeaderCells: false, colSpacing: 2 } },
    ],
  }).trim()}\n`
}
