import { z } from 'zod/mini'

export const LEAD_INBOX = '/api/lead-inbox'

/** The connection to the mailbox of replies. `missing`: `IMAP_URL` is not set. Times are ISO 8601. */
export const mailboxState = z.object({
  state: z.enum(['missing', 'connecting', 'connected', 'failing']),
  host: z.nullable(z.string()),
  checkedAt: z.nullable(z.string()),
  error: z.nullable(z.string()),
})

export type MailboxState = z.infer<typeof mailboxState>

const emailKind = z.enum(['message', 'autoreply', 'bounce'])

/** An email of an unknown sender, in the list. */
export const listedEmail = z.object({
  id: z.string(),
  kind: emailKind,
  fromName: z.string(),
  fromAddress: z.string(),
  subject: z.string(),
  /** The beginning of its text. */
  preview: z.string(),
  files: z.number(),
  receivedAt: z.string(),
})

export type ListedEmail = z.infer<typeof listedEmail>

export const unknownEmails = z.object({
  emails: z.array(listedEmail),
  nextCursor: z.nullable(z.string()),
  /** Those that still wait, whatever the list shows. */
  waiting: z.number(),
  mailbox: mailboxState,
})

export const leadEmailFile = z.object({
  id: z.string(),
  name: z.string(),
  /** The type by the file's content. */
  type: z.string(),
  size: z.number(),
})

export type LeadEmailFile = z.infer<typeof leadEmailFile>

/** A whole email. `html` is safe to show: pictures of other servers have their address in `data-remote-src`. */
export const leadEmail = z.object({
  id: z.string(),
  kind: emailKind,
  state: z.enum(['received', 'dismissed']),
  /** The lead that it belongs to, if someone has added it meanwhile. */
  reference: z.nullable(z.string()),
  fromName: z.string(),
  fromAddress: z.string(),
  toAddresses: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.nullable(z.string()),
  hasRemoteContent: z.boolean(),
  /** Missing parts of the email, in a sentence. */
  problem: z.nullable(z.string()),
  files: z.array(leadEmailFile),
  /** Leads of the sender's address, newest first. */
  suggestions: z.array(z.object({ reference: z.string(), name: z.string(), problem: z.string() })),
  receivedAt: z.string(),
})

export type LeadEmail = z.infer<typeof leadEmail>

export const addToLead = z.object({
  reference: z.string('Choose a lead.').check(
    z.overwrite((text) => text.trim().toUpperCase()),
    z.regex(/^W-[\dA-Z-]{1,57}$/, 'A reference looks like W-7K3M9Q.'),
  ),
})

export const leadOfEmail = z.object({ reference: z.string() })
