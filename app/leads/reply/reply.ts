import { z } from 'zod/mini'
import { anyUuid } from '#app/leads/lead/fact-value.ts'
import { atMost, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { isoMoment } from '#app/platform/time/iso-moment.ts'
import { leadFile, leadMessage } from './message.ts'

/** Of all attachments of a reply together, and of one file of a lead. In bytes. */
export const MOST_FILE_BYTES = 15 * 1024 * 1024
export const FILE_TOO_LARGE = 'A file can have at most 15 MB.'
export const FILES_TOO_LARGE = 'All attachments together can have at most 15 MB.'
/** For so long a reply can be undone, in seconds. */
export const UNDO_SECONDS = 10
export const MOST_REPLY = 50_000

const SUBJECT = 'The subject has 1 to 200 characters.'
const TEXT = 'An email has 1 to 50,000 characters.'
const WHEN = 'Choose a time within the next year.'

const subject = z.string(SUBJECT).check(z.overwrite(oneLine), z.minLength(1, SUBJECT), ...atMost(200, SUBJECT))
const text = z.string(TEXT).check(z.overwrite(manyLines), z.minLength(1, TEXT), ...atMost(MOST_REPLY, TEXT))

/** A reply as it is sent. A repeat with the same id changes nothing. */
export const replyBody = z.object({
  id: anyUuid('Name the reply with a UUID.'),
  subject,
  /** Markdown; fields are filled in. */
  text,
  /** Files that were uploaded for it. */
  fileIds: z.array(anyUuid('There is no such file.'), 'Attachments are a list.').check(z.maxLength(50, 'Attach at most 50 files.')),
  /** Missing: now, after the time to undo it. */
  sendAt: z.optional(z.nullable(isoMoment(WHEN))),
})

export type ReplyBody = z.infer<typeof replyBody>

export const LATER_REFUSED = WHEN

/** An unfinished reply, for its preview. */
export const replyDraft = z.object({
  subject: z.string(SUBJECT).check(...atMost(1000, SUBJECT)),
  text: z.string(TEXT).check(...atMost(MOST_REPLY, TEXT)),
})

type Draft = z.infer<typeof replyDraft>

/** The draft once a reply is back in the editor, where another one may have been begun. */
export function withReturned(returned: Draft, begun: Draft | undefined): Draft {
  if (!begun || begun.text.trim() === '' || begun.text === returned.text) return returned
  return { subject: returned.subject, text: `${returned.text.trimEnd()}\n\n${begun.text}` }
}

export const replyPreview = z.object({ subject: z.string(), html: z.string(), missing: z.array(z.string()) })

const fact = z.nullable(z.string())

/** Everything that the editor of a reply needs. */
export const replyEditor = z.object({
  to: z.string(),
  fromName: z.string(),
  fromAddress: z.string(),
  subject: z.string(),
  signature: z.string(),
  facts: z.object({
    firstName: fact,
    name: fact,
    company: fact,
    reference: fact,
    service: fact,
    problem: fact,
    senderName: fact,
    callLink: fact,
  }),
  /** Uploaded by this person, and not sent yet. */
  files: z.array(leadFile),
  /** Emails to this person that are due later, soonest first. */
  scheduled: z.array(leadMessage),
  /** Whether emails are delivered, are shown on this machine, or wait for a mail server. */
  delivery: z.enum(['smtp', 'inbox', 'none']),
  /** Whether replies to these emails have an address of their own. */
  hasReplyAddress: z.boolean(),
  /** When the address of the person rejected an email, and why. */
  bouncedAt: z.nullable(z.string()),
  bounceReason: z.nullable(z.string()),
})

export type ReplyEditor = z.infer<typeof replyEditor>

/** A cancelled reply, for the editor. Its files are attachments of the draft again. */
export const cancelledReply = z.object({ subject: z.string(), text: z.string() })

const SIGNATURE = 'A signature has at most 1,000 characters.'

export const signatureBody = z.object({ text: z.string(SIGNATURE).check(z.overwrite(manyLines), ...atMost(1000, SIGNATURE)) })

const NAME = 'The name has 1 to 80 characters.'

export const replyTemplate = z.object({
  id: z.string(),
  name: z.string(),
  subject: z.string(),
  text: z.string(),
  updatedAt: z.string(),
})

export type ReplyTemplate = z.infer<typeof replyTemplate>

export const templateBody = z.object({
  name: z.string(NAME).check(z.overwrite(oneLine), z.minLength(1, NAME), ...atMost(80, NAME)),
  subject,
  text,
})

export type TemplateBody = z.infer<typeof templateBody>

/** `base` is the `updatedAt` of the template that was edited. */
export const templateChange = z.extend(templateBody, { base: z.string('Name the version that you edited.') })

export const templateOrder = z.object({
  ids: z
    .array(anyUuid('There is no such template.'), 'Give the templates in their order.')
    .check(z.maxLength(200, 'At most 200 templates.')),
})
