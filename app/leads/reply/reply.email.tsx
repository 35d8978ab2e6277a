import { defineEmail, type EmailFile } from '#app/mail/email.server.ts'
import { noteDelivered } from './reply-outcome.server.ts'

export type ReplyEmail = {
  /** Of its row. */
  id: string
  subject: string
  /** Sanitized. */
  html: string
  fromName: string
  inReplyTo: string
  references: string[]
  files: EmailFile[]
}

/** An email that a member of staff wrote to a lead. */
export const leadReplyEmail = defineEmail<ReplyEmail>(
  'lead-reply',
  ({ subject, html, fromName, inReplyTo, references, files }) => ({
    subject,
    preview: '',
    body: <div dangerouslySetInnerHTML={{ __html: html }} />,
    personal: { fromName, inReplyTo, references, files },
  }),
  { onDelivered: async ({ id }) => noteDelivered(id) },
)
