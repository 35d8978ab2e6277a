import { z } from 'zod/mini'

/** A file of a lead. The bytes are at `/api/lead-files/{id}`. */
export const leadFile = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  /** In bytes. */
  size: z.number(),
  source: z.enum(['email', 'reply', 'visitor', 'staff']),
  createdAt: z.string(),
})

export type LeadFile = z.infer<typeof leadFile>

/** An email from or to the person of a lead. */
export const leadMessage = z.object({
  id: z.string(),
  direction: z.enum(['in', 'out']),
  /** `autoreply` and `bounce` were written by a machine. */
  kind: z.enum(['message', 'autoreply', 'bounce']),
  /** `sending`: in the outbox. */
  state: z.enum(['received', 'dismissed', 'scheduled', 'sending', 'sent', 'failed']),
  fromName: z.string(),
  fromAddress: z.string(),
  /** Whom a received email asks to answer, where that is another address. */
  replyToName: z.string(),
  replyToAddress: z.string(),
  toAddresses: z.array(z.string()),
  subject: z.string(),
  /** The start of a long text. For a reply, its Markdown. */
  text: z.string(),
  isShortened: z.boolean(),
  /** Sanitized HTML of a reply of ours. */
  html: z.nullable(z.string()),
  /** Whether a received email has HTML, at `/api/lead-messages/{id}/html`. */
  hasHtml: z.boolean(),
  hasRemoteContent: z.boolean(),
  /** When it is due or was handed over to the outbox. */
  sendAt: z.nullable(z.string()),
  /** Why it could not be sent, or what of it could not be read. */
  error: z.nullable(z.string()),
  files: z.array(leadFile),
})

export type LeadMessage = z.infer<typeof leadMessage>
