import { z } from 'zod/mini'
import { leadMessage } from '#app/leads/reply/message.ts'

export const LEAD_INBOX = '/api/lead-inbox'

/** The connection to the mailbox of replies. `missing`: `IMAP_URL` is not set. Times are ISO 8601. */
export const mailboxState = z.object({
  state: z.enum(['missing', 'connecting', 'connected', 'failing']),
  host: z.nullable(z.string()),
  checkedAt: z.nullable(z.string()),
  error: z.nullable(z.string()),
})

export type MailboxState = z.infer<typeof mailboxState>

/** An email of an unknown sender, in the list. */
export const listedEmail = z.object({
  id: z.string(),
  kind: leadMessage.shape.kind,
  fromName: z.string(),
  fromAddress: z.string(),
  /** Whom to answer, where that is another address. */
  replyToName: z.string(),
  replyToAddress: z.string(),
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

/** A whole email, with what can be done with it. */
export const leadEmail = z.extend(leadMessage, {
  /** The lead that it belongs to, if someone has added it meanwhile. */
  reference: z.nullable(z.string()),
  /** Leads of the sender's address, newest first. */
  suggestions: z.array(z.object({ reference: z.string(), name: z.string(), problem: z.string() })),
  receivedAt: z.string(),
  /** The first values of a lead made from it. The company is a guess from the signature. */
  begin: z.object({ name: z.string(), email: z.string(), problem: z.string(), company: z.nullable(z.string()) }),
})

export type LeadEmail = z.infer<typeof leadEmail>

export const addToLead = z.object({
  reference: z.string('Choose a lead.').check(
    z.overwrite((text) => text.trim().toUpperCase()),
    z.regex(/^W-[\dA-Z-]{1,57}$/, 'A reference looks like W-7K3M9Q.'),
  ),
})

export const leadOfEmail = z.object({ reference: z.string() })
export const madeLead = z.object({ id: z.string(), reference: z.string() })
