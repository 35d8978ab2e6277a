import type { Transporter } from 'nodemailer'
import { env, isLoopback } from '#app/platform/env.server.ts'
import { JobFailure, MOST_DELIVERIES } from '#app/platform/jobs.server.ts'
import { openFile, type StoredFile } from '#app/platform/storage/storage.server.ts'
import type { EmailFile } from './email.server.ts'
import { sender } from './outbox.server.ts'
import type { AddressedEmail } from './render.server.tsx'

/** RFC 5321, 4.5.3.2: a server may take 5 minutes to greet and 10 to confirm the data. A client that leaves earlier sends a second copy. */
const GREETING_MS = 5 * 60_000
const SILENCE_MS = 10 * 60_000
/** The sum of the time limits of all steps. */
const DELIVERY_MS = 30 * 60_000

let transport: Transporter | undefined

/** Sends one email to the mail server. Throws a failure that says whether a retry can help. */
export async function deliver(
  { to, messageId, subject, html, text, replyTo, headers, calendar, files: attached = [], personal }: AddressedEmail,
  signal = AbortSignal.timeout(DELIVERY_MS),
): Promise<void> {
  if (!env.SMTP_URL) throw new JobFailure('There is no mail server: SMTP_URL is not set.')
  transport ??= await connect(env.SMTP_URL)
  const files = await openFiles(personal?.files ?? attached)
  try {
    await transport.sendMail({
      from: { ...sender(), ...(personal?.fromName && { name: lineOf(personal.fromName) }) },
      // An object is always a single address, whatever it contains.
      to: { name: '', address: to },
      subject: lineOf(subject),
      html,
      text,
      messageId,
      // RFC 3834: an email that a person wrote has no such header.
      headers: { ...(!personal && { 'Auto-Submitted': 'auto-generated' }), ...headers },
      ...(personal && { inReplyTo: personal.inReplyTo, references: [...personal.references] }),
      ...(replyTo && { replyTo: { name: '', address: replyTo } }),
      ...(calendar && { icalEvent: { method: calendar.method, content: calendar.text, filename: 'call.ics' } }),
      ...(files.length > 0 && {
        attachments: files.map(({ name, type, stream }) => ({ filename: name, contentType: type, content: stream })),
      }),
      signal,
    })
  } catch (error) {
    throw toFailure(error)
  } finally {
    for (const { stream } of files) stream.destroy()
  }
}

/** No line break could begin another header. */
function lineOf(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ')
}

type OpenFile = EmailFile & StoredFile

/** Without one of its files, an email is not what its sender wrote. */
async function openFiles(files: readonly EmailFile[]): Promise<OpenFile[]> {
  const opened: OpenFile[] = []
  try {
    for (const file of files) {
      const stored = await openFile(file.storedAs)
      if (!stored) throw new JobFailure('An attached file no longer exists.', { permanent: true })
      opened.push({ ...file, ...stored })
    }
    return opened
  } catch (error) {
    for (const { stream } of opened) stream.destroy()
    throw error
  }
}

/** Connects and signs in once. Returns what is wrong, in a sentence; undefined without a mail server as well. */
export async function findMailProblem(): Promise<string | undefined> {
  if (!env.SMTP_URL) return undefined
  try {
    transport ??= await connect(env.SMTP_URL)
    await transport.verify()
    return undefined
  } catch (error) {
    return toFailure(error).message
  }
}

export function closeTransport(): void {
  transport?.close()
  transport = undefined
}

async function connect(smtpUrl: string): Promise<Transporter> {
  // Loaded only with a mail server, because it costs start-up time and memory.
  const { createTransport } = await import('nodemailer')
  const { hostname, password, searchParams } = new URL(smtpUrl)
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: MOST_DELIVERIES,
    connectionTimeout: 30_000,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    // A password never crosses a network in the clear, unless the setting insists: smtp://…?requireTLS=false
    ...(password && !isLoopback(hostname) && !searchParams.has('requireTLS') && { requireTLS: true }),
  })
}

/** The mail server says that the mailbox does not exist or is closed. */
export class RefusedAddress extends JobFailure {}

/** Reports only the codes: the text of a mail server often repeats the address. */
function toFailure(error: unknown): JobFailure {
  const { code, command, responseCode, response } = detailsOf(error)
  if (code === 'EAUTH') return new JobFailure(`The mail server rejected our login (${responseCode ?? 'no response'}).`)
  if (responseCode === undefined) return new JobFailure(`The mail server could not be reached (${code}).`)
  const detail = /^\d{3}[ -]([45]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  const codes = detail ? `${responseCode} ${detail}` : String(responseCode)
  const permanent = responseCode >= 500
  if (isFullMailbox(responseCode, detail, command)) return new JobFailure(`The mailbox of this address is full (${codes}).`, { permanent })
  if (isTooLarge(responseCode, detail, command))
    return new JobFailure(`The mail server refused this email as too large (${codes}).`, { permanent })
  if (command === 'RCPT TO' && permanent) {
    if (isMissingMailbox(responseCode, detail, response))
      return new RefusedAddress(`The mail server says that this address does not exist (${codes}).`, { permanent: true })
    return new JobFailure(`The mail server accepts no email from us for this address (${codes}). ${OUR_SIDE}`, { permanent: true })
  }
  if (command === 'DATA' && permanent)
    return new JobFailure(`The mail server refused this email (${codes}). It may take it for spam, or block our server or sender.`, {
      permanent: true,
    })
  if (permanent) return new JobFailure(`The mail server accepts no email from us (${codes}). ${OUR_SIDE}`)
  return new JobFailure(`The mail server rejected this email for now (${codes}).`)
}

/** Code 552 has two meanings: a mailbox that is full, which is known from the recipient, and an email that is too large, known from its content. */
function isFullMailbox(responseCode: number, detail: string | undefined, command: string): boolean {
  return detail ? /^[45]\.2\.2$/.test(detail) : responseCode === 552 && command === 'RCPT TO'
}

function isTooLarge(responseCode: number, detail: string | undefined, command: string): boolean {
  return detail ? /^[45]\.(3\.4|2\.3)$/.test(detail) : responseCode === 552 && command !== 'RCPT TO'
}

const OUR_SIDE = 'It may block our server or sender, or require a login.'

/**
 * Servers reject a recipient for our own faults as well, such as a blocked network or a missing login. An enhanced status code (RFC 3463)
 * says so: 5.1 is about the recipient, except for two codes about the sender, and 5.2.1 is a closed mailbox. Microsoft sends 5.4.1 for an
 * unknown recipient. Without such a code, 550, 551 and 553 mean the address, unless the text names another reason.
 */
function isMissingMailbox(responseCode: number, detail: string | undefined, response: string): boolean {
  if (detail === '5.4.1') return /recipient address rejected/i.test(response)
  if (detail) return /^5\.(1\.(?![78]$)|2\.1$)/.test(detail)
  return [550, 551, 553].includes(responseCode) && !BLOCKED.test(response)
}

const BLOCKED =
  /\b(block(ed|list(ed)?)?|black-?list(ed)?|deny-?list(ed)?|spam\w*|denied|policy|reputation|relay(ing)?|authenticat\w*|not (allowed|permitted|authori[sz]ed)|dnsbl|rbl)\b/i

function detailsOf(error: unknown): { code: string; command: string; responseCode: number | undefined; response: string } {
  if (!(error instanceof Error)) return { code: 'unknown', command: '', responseCode: undefined, response: '' }
  return {
    code: 'code' in error ? String(error.code) : error.name,
    command: 'command' in error ? String(error.command) : '',
    responseCode: 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : undefined,
    response: 'response' in error ? String(error.response) : '',
  }
}
