/** What a path is seldom written with, and `URL` would read in its own way. */
const UNUSUAL = /[^\u0021-\u007E]|[%\\#]|\/\/|\/\./
/** Would begin another part of an address, or end it. */
const MEANS_MORE = /[\p{Cc}%/?#\\]/gu

/**
 * The one spelling in which paths are compared: dots and backslashes as browsers read them, one slash for several, letters instead of their numbers
 * (`/caf%C3%A9` is `/café`), composed. What has a meaning of its own (`%2F`, `%3F`, `%25`) stays a number, and what stands for no text does as well.
 */
export function readPath(path: string): string {
  if (!UNUSUAL.test(path)) return path
  const { pathname } = new URL(`http://localhost${path.replaceAll('#', '%23')}`)
  return pathname
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/(?:%[\da-f]{2})+|%/gi, readNumbers)
    .normalize('NFC')
}

function readNumbers(run: string): string {
  if (run === '%') return '%25'
  try {
    return decodeURIComponent(run).replaceAll(MEANS_MORE, encodeURIComponent)
  } catch {
    return run.toUpperCase()
  }
}

/** A path that was read, as a header can carry it. */
export function writePath(path: string): string {
  return path.replaceAll(/[^\w\-.~!$&'()*+,;=:@/%]/gu, encodeURIComponent)
}

/** What staff wrote, as a header can carry it: its marks mean what they mean. */
export function writeAddress(text: string): string {
  return text.toWellFormed().replaceAll(/[^\u0021-\u007E]|["<>\\^`{|}]/gu, encodeURIComponent)
}

export type Address = { path: string; query: string }

/** Path and query of what was asked for. What follows a `#` is never sent by a browser, and counts for nothing. */
export function readAddress(url: string): Address {
  const [all = ''] = url.split('#', 1)
  const mark = all.indexOf('?')
  return mark < 0 ? { path: readPath(all), query: '' } : { path: readPath(all.slice(0, mark)), query: all.slice(mark + 1) }
}

/** Keys and values of a query in their order, in one spelling. */
export function readQuery(query: string): string {
  return query === '' ? '' : new URLSearchParams(query).toString()
}

export function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** Without regard to case, and exactly as long as before, so that a place in it is the same place in the text. */
export function foldCase(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase()
  return Array.from(text, foldCharacter).join('').replaceAll('ς', 'σ').replaceAll('ſ', 's')
}

function foldCharacter(character: string): string {
  const low = character.toLowerCase()
  return low.length === character.length ? low : character
}
