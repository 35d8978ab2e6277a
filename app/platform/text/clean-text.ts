import { z } from 'zod/mini'

/**
 * Found in no line of visible ASCII words with one space between them. Most fields are such lines, and the patterns below take longer. It
 * looks for the opposite, because a repeated group fails on millions of words.
 */
const NOT_PLAIN = /[^ -~]|^ | {2}| $/
const ASCII = /^\p{ASCII}*$/u
/** They change the direction of the text around them, so that one thing can look like another. */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g
const CONTROLS_AND_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu
const CONTROLS_BUT_BREAKS = /(?![\n\t])\p{Cc}/gu
/** No language puts more marks on one letter (Unicode's stream-safe format). Normalization takes the square of their number. */
const MARKS_TOO_MANY = /(?<=\p{M}{30})\p{M}+/gu

/** Cleans a one-line field: removes invisible characters and those that the database cannot store (NUL, half a surrogate pair). */
export function oneLine(text: string): string {
  if (!NOT_PLAIN.test(text)) return text
  return visible(readable(text).replaceAll(CONTROLS_AND_BREAKS, ' ').trim())
}

/** Cleans a multi-line field: line breaks stay, with at most two empty lines in a row. */
export function manyLines(text: string): string {
  const lines = readable(text)
    .replaceAll(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll(CONTROLS_BUT_BREAKS, '')
    .replaceAll(/\n{4,}/g, '\n\n\n')
    .trim()
  return visible(lines)
}

/** The number of characters as a reader counts them: an emoji is one, not two. */
export function characterCount(text: string): number {
  return Array.from(text).length
}

function readable(text: string): string {
  if (ASCII.test(text)) return text
  return text.toWellFormed().replaceAll(MARKS_TOO_MANY, '').normalize('NFC').replaceAll(DIRECTION_MARKS, '').replaceAll('\uFEFF', '')
}

/** Joiners and direction marks have a use between letters, but alone they show nothing. */
function visible(text: string): string {
  return /[^\p{Cf}\s]/u.test(text) ? text : ''
}

/** The maximum of a text in characters, as `characterCount` counts them for people. It stands after the cleaning of the text. */
export const atMost = (most: number, error: string | { error: () => string }) =>
  [z.refine<string>((text) => text.length <= most || characterCount(text) <= most, error), z.meta({ maxLength: most })] as const
