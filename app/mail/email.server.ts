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
}

export type EmailCalendar = { method: 'REQUEST' | 'CANCEL'; text: string }

/** An email to enqueue: its recipient, and the data to render it from when it is sent. */
export type Email = { kind: string; to: string; data: unknown; secret: boolean }

const writers = new Map<string, (json: string) => EmailText>()

/**
 * Defines a kind of email and how to render it from its data, which is plain JSON (dates as text). Returns a function that addresses one.
 * Rendering happens when the email is sent: requests do not wait for it, and the sending version of the product renders it.
 * `secret` data (such as a sign-in link) is sealed at rest and deleted after sending.
 */
export function defineEmail<Data>(
  kind: string,
  write: (data: Data) => EmailText,
  { secret = false } = {},
): (to: string, data: Data) => Email {
  writers.set(kind, (json) => write(JSON.parse(json)))
  return (to, data) => ({ kind, to, data, secret })
}

/** Renders an email of a defined kind. */
export function writeEmail(kind: string, json: string): EmailText {
  const write = writers.get(kind)
  if (!write) throw new Error(`No email kind is called ${kind}.`)
  return write(json)
}
