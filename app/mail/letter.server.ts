import type { ReactNode } from 'react'

/** What a letter says: its subject, the line that mail programs show beside it, and its body on the shared layout. */
export type LetterText = {
  subject: string
  preview: string
  body: ReactNode
  /** Where answers go, when not to the sender. */
  replyTo?: string
}

/** A letter ready to be posted: to whom, and the facts that it is written from when it is sent. */
export type Letter = { kind: string; to: string; data: unknown; secret: boolean }

const writers = new Map<string, (json: string) => LetterText>()

/**
 * Names a kind of letter and how it is written from its data, which is plain JSON: dates travel as text. Answers the function that addresses one.
 * Writing happens when it is sent, so a request that posts a letter does not wait for it, and a letter that waits is written by the
 * version of the product that sends it. `secret` data (a link that signs someone in) is sealed at rest and forgotten once the letter is out.
 */
export function defineLetter<Data>(
  kind: string,
  write: (data: Data) => LetterText,
  { secret = false } = {},
): (to: string, data: Data) => Letter {
  writers.set(kind, (json) => write(JSON.parse(json)))
  return (to, data) => ({ kind, to, data, secret })
}

/** Writes a letter of a kind that some part of the product has defined. */
export function writeLetter(kind: string, json: string): LetterText {
  const write = writers.get(kind)
  if (!write) throw new Error(`No letter is called ${kind}.`)
  return write(json)
}
