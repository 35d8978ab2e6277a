/** Turns the direction of text around it and so lets one thing look like another. */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g
const CONTROLS_AND_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu
const CONTROLS_BUT_BREAKS = /(?![\n\t])\p{Cc}/gu
/** No language sets more marks on one letter (the stream-safe format of Unicode), and putting them in order takes the square of their number. */
const MARKS_TOO_MANY = /(?<=\p{M}{30})\p{M}+/gu

/** What a person meant to type in a field of one line: nothing invisible, nothing that the database cannot keep (NUL, half a character). */
export function oneLine(text: string): string {
  return visible(readable(text).replaceAll(CONTROLS_AND_BREAKS, ' ').trim())
}

/** The same for a field of many lines: breaks stay, at most one empty line follows another. */
export function manyLines(text: string): string {
  const lines = readable(text)
    .replaceAll(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll(CONTROLS_BUT_BREAKS, '')
    .replaceAll(/\n{4,}/g, '\n\n\n')
    .trim()
  return visible(lines)
}

/** How many characters a reader would count: a smiley is one, not two. */
export function characterCount(text: string): number {
  return Array.from(text).length
}

/** The beginning of a text, up to the end of a word, in at most so many characters with the ellipsis. */
export function shortened(text: string, most: number): string {
  const letters = Array.from(text)
  if (letters.length <= most) return text
  const cut = letters.slice(0, most - 1).join('')
  return `${/\s/.test(cut) ? cut.replace(/\s+\S*$/, '') : cut}…`
}

function readable(text: string): string {
  return text.toWellFormed().replaceAll(MARKS_TOO_MANY, '').normalize('NFC').replaceAll(DIRECTION_MARKS, '').replaceAll('\uFEFF', '')
}

/** Joiners and direction marks have their use between letters; alone they are nothing that anyone could read. */
function visible(text: string): string {
  return /[^\p{Cf}\s]/u.test(text) ? text : ''
}
