import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { type Bounce, bounceOf, type IncomingKind, headerOf, kindOfEmail } from './email-kind.server.ts'
import { cleanEmailHtml } from './email-html.server.ts'
import { withTrueCharsets } from './true-charset.server.ts'
import { UnreadableEmail } from './unreadable-email.ts'

/** A file of an email. Its type is told by its content later. */
export type ReceivedFile = { name: string; bytes: Uint8Array<ArrayBuffer> }

/** An email as it can be stored and shown. `threadIds` are those that it answers, the closest first. */
export type ReadEmail = {
  messageId: string | null
  inReplyTo: string | null
  threadIds: string[]
  fromName: string
  fromAddress: string
  /** Who is to be answered, where the email names one other address for that. */
  replyToName: string
  replyToAddress: string
  /** Everyone whom it was sent to, with the addresses that the mail servers noted. */
  toAddresses: string[]
  subject: string
  text: string
  /** Sanitized. `data-inline` of a picture is its place among the files. */
  html: string | null
  hasRemoteContent: boolean
  kind: IncomingKind
  bounce: Bounce | null
  files: ReceivedFile[]
  /** Missing parts of the email, in sentences for staff. */
  problems: string[]
}

const MOST_FILES = 100
const MOST_IDS = 100
const MOST_ADDRESSES = 50
/** Characters. */
const LONGEST_TEXT = 200_000
const LONGEST_SUBJECT = 500
/** Each part of an email begins with such a line. A bomb has millions of them, and each would take memory. */
const MOST_BOUNDARIES = 20_000

/** Parses an email of a stranger. It can take long and much memory, so call it in its own thread. */
export async function parseIncomingEmail(bytes: Uint8Array): Promise<ReadEmail> {
  if (countBoundaries(bytes) > MOST_BOUNDARIES) throw new UnreadableEmail('It has too many parts.')
  const email = await parse(withTrueCharsets(bytes))
  const problems: string[] = []
  const sender = email.from?.address ? email.from : email.sender
  const from = { name: textOf(sender?.name ?? '', 200), address: addressOf(sender?.address ?? '') }
  const subject = textOf(email.subject ?? '', LONGEST_SUBJECT)
  const attached = email.attachments.slice(0, MOST_FILES)
  // An empty one is that of no picture.
  const contentIds = attached.map(({ contentId }) => (contentId ?? '').trim().replace(/^<(.*)>$/s, '$1') || '<>')
  const clean = email.html ? await cleanEmailHtml(email.html, contentIds) : undefined
  if (clean && clean.html === null) problems.push('Its formatting is too large to be shown.')
  const whole = manyLines(email.text ?? '') || (clean?.text ?? '')
  if (whole.length > LONGEST_TEXT) problems.push(`Its text is shortened to ${numberText(LONGEST_TEXT)} characters.`)
  const text = whole.slice(0, LONGEST_TEXT).toWellFormed()
  const evidence = { headers: email.headers, fromName: from.name, attachments: email.attachments, fromAddress: from.address, subject, text }
  const kind = kindOfEmail(evidence)
  if (email.attachments.length > MOST_FILES)
    problems.push(`Only the first ${MOST_FILES} of its ${email.attachments.length} files are stored.`)
  const inReplyTo = idsIn(headerOf(email, 'in-reply-to'))
  return {
    messageId: idsIn(headerOf(email, 'message-id'))[0] ?? null,
    inReplyTo: inReplyTo[0] ?? null,
    threadIds: [...new Set([...inReplyTo, ...idsIn(headerOf(email, 'references')).toReversed()])].slice(0, MOST_IDS),
    fromName: from.name,
    fromAddress: from.address,
    ...replyToOf(email, from.address),
    toAddresses: recipientsOf(email),
    subject,
    text,
    html: clean?.html ?? null,
    hasRemoteContent: clean?.hasRemoteContent ?? false,
    kind,
    bounce: kind === 'bounce' ? bounceOf(evidence) : null,
    files: attached.map(fileOf),
    problems,
  }
}

/** A broken email makes the parser throw; its limits do too. */
async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: 100, maxHeadersSize: 1024 * 1024 })
  } catch (error) {
    throw new UnreadableEmail('It is not written as emails are.', { cause: error })
  }
}

function countBoundaries(bytes: Uint8Array): number {
  const [lineFeed, dash] = [10, 45]
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at + 1] === dash && bytes[at + 2] === dash) count += 1
  }
  return count
}

function textOf(text: string, most: number): string {
  return oneLine(text).slice(0, most).toWellFormed()
}

/** Empty for what is no address. */
function addressOf(text: string): string {
  const address = oneLine(text)
  return address.length <= 320 && /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u.test(address) ? address : ''
}

function idsIn(header: string): string[] {
  return (header.match(/<[^<>\s]{1,900}>/g) ?? []).map((id) => oneLine(id))
}

/** Empty for several addresses, and for the sender's own. */
function replyToOf({ replyTo }: Email, fromAddress: string): Pick<ReadEmail, 'replyToName' | 'replyToAddress'> {
  const mailboxes = (replyTo ?? []).flatMap((each) => each.group ?? [each])
  const [address = '', another] = [...new Set(mailboxes.map((each) => addressOf(each.address ?? '').toLowerCase()).filter(Boolean))]
  const named = mailboxes.find((each) => addressOf(each.address ?? '').toLowerCase() === address)
  if (!named || another || address === fromAddress.toLowerCase()) return { replyToName: '', replyToAddress: '' }
  return { replyToName: textOf(named.name ?? '', 200), replyToAddress: addressOf(named.address ?? '') }
}

function recipientsOf(email: Email): string[] {
  const listed = [...(email.to ?? []), ...(email.cc ?? [])].flatMap(mailboxesOf)
  // Where a list or a forwarding server has changed the others, only these name the address with the token.
  const noted = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'x-forwarded-to', 'x-delivered-to'].flatMap((name) =>
    email.headers.filter(({ key }) => key === name).map(({ value }) => value.trim().replace(/^<|>$/g, '')),
  )
  return [...new Set([...listed, ...noted].map(addressOf).filter(Boolean))].slice(0, MOST_ADDRESSES)
}

function mailboxesOf(address: Address): string[] {
  return address.group ? address.group.map((each) => each.address) : [address.address]
}

function fileOf({ filename, mimeType, content }: Attachment, at: number): ReceivedFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
  return { name: fileNameOf(filename ?? '') || unnamed(mimeType, at), bytes: Uint8Array.from(bytes) }
}

/** One name without a path, and without characters that mean something to a file system or a header. */
function fileNameOf(name: string): string {
  const last = oneLine(name).split(/[\\/]/).at(-1) ?? ''
  const plain = last
    .replaceAll(/[<>:"|?*%]/g, '_')
    .replace(/^\.+/, '')
    .trim()
  return plain.length <= 120 ? plain : `${plain.slice(0, 100).toWellFormed()}${/\.\w{1,10}$/.exec(plain)?.[0] ?? ''}`
}

function unnamed(mimeType: string, at: number): string {
  const endings: Record<string, string> = {
    'message/rfc822': 'eml',
    'message/delivery-status': 'txt',
    'text/rfc822-headers': 'txt',
    'text/calendar': 'ics',
  }
  return `file-${at + 1}.${endings[mimeType] ?? 'bin'}`
}
