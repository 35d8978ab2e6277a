import type { ReactNode } from 'react'

/** Subject, preview line and body of an email, on the shared layout. */
export type EmailText = {
  subject: string
  preview: string
  body: ReactNode
  /** Reply-To address, if it is not the sender. */
  replyTo?: string
  /** An invitation (`text/calendar`) that mail programs show beside the text. */
  calendar?: EmailCalendar
  files?: readonly EmailFile[]
  /** Set for an email that a person wrote: without our layout, in their name, as a part of a thread, and with files. */
  personal?: PersonalEmail
}

export type PersonalEmail = {
  /** Shown as the sender, with the address of all emails. */
  fromName: string
  /** Message-IDs in angle brackets. */
  inReplyTo: string
  references: readonly string[]
  files: readonly EmailFile[]
}

/** A file of the file storage, under its name there. */
export type EmailFile = { name: string; type: string; storedAs: string }

export type EmailCalendar = { method: 'REQUEST' | 'CANCEL'; text: string }

/** An email to enqueue: its recipient, and the data to render it from when it is sent. It gets a new Message-ID unless it has one. */
export type Email = {
  kind: string
  to: string
  data: unknown
  secret: boolean
  messageId?: string
  /** Reply-To of an email that names none itself. */
  replyTo?: string | undefined
  /** The lead that it is about, so that a failure can name it. */
  contactId?: string
  /** From then on it is not sent, such as a link that no longer works. */
  expiresAt?: Date
}

/** Called with the data of an email that was delivered. A kill can prevent the call, and cause a second one. */
type OnDelivered<Data> = (data: Data) => Promise<void>

type KindOptions<Data> = {
  secret?: boolean
  onDelivered?: OnDelivered<Data>
  /** When an email that is enqueued now is of no more use. */
  expiresAt?: (data: Data) => Date
}

const writers = new Map<string, (json: string) => EmailText>()
const deliveryListeners = new Map<string, (json: string) => Promise<void>>()

/**
 * Defines a kind of email and how to render it from its data, which is plain JSON (dates as text). Returns a function that addresses one.
 * Rendering happens when the email is sent: requests do not wait for it, and the sending version of the product renders it.
 * `secret` data (such as a sign-in link) is sealed at rest and deleted after sending.
 */
export function defineEmail<Data>(
  kind: string,
  write: (data: Data) => EmailText,
  { secret = false, onDelivered, expiresAt }: KindOptions<Data> = {},
): (to: string, data: Data) => Email {
  writers.set(kind, (json) => write(JSON.parse(json)))
  if (onDelivered) deliveryListeners.set(kind, async (json) => onDelivered(JSON.parse(json)))
  return (to, data) => ({ kind, to, data, secret, ...(expiresAt && { expiresAt: expiresAt(data) }) })
}

/** Renders an email of a defined kind. */
export function writeEmail(kind: string, json: string): EmailText {
  const write = writers.get(kind)
  if (!write) throw new Error(`No email kind is called ${kind}.`)
  return write(json)
}

/** Tells the code that defined this kind of email of a delivery. */
export async function announceDelivery(kind: string, json: string): Promise<void> {
  await deliveryListeners.get(kind)?.(json)
}

type Refusal = { to: string; reason: string }
const refusalListeners: ((refusal: Refusal) => Promise<void>)[] = []

/** Calls back when a mail server says that an address does not exist. A kill can prevent the call, and cause a second one. */
export function onRefusedAddress(callback: (refusal: Refusal) => Promise<void>): void {
  refusalListeners.push(callback)
}

export async function announceRefusal(refusal: Refusal): Promise<void> {
  for (const callback of refusalListeners) await callback(refusal)
}
