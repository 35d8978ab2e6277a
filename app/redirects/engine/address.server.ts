/** Rare in paths, and read by `URL` in its own way. */
const UNUSUAL = /[^\u0021-\u007E]|[%\\#]|\/\/|\/\./
/** Characters that would end a path or begin another part of an address. */
const MEANS_MORE = /[\p{Cc}%/?#\\]/gu

/**
 * The canonical spelling in which paths are compared: dots and backslashes as browsers read them, single slashes, percent-encoding decoded
 * (`/caf%C3%A9` is `/café`), composed. Characters with a meaning of their own (`%2F`, `%3F`, `%25`) and invalid UTF-8 stay encoded.
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

/** Encodes a canonical path for a header. */
export function writePath(path: string): string {
  return path.replaceAll(/[^\w\-.~!$&'()*+,;=:@/%]/gu, encodeURIComponent)
}

/** Encodes an address written by staff for a header; its reserved characters keep their meaning. */
export function writeAddress(text: string): string {
  return text.toWellFormed().replaceAll(/[^\u0021-\u007E]|["<>\\^`{|}]/gu, encodeURIComponent)
}

export type RequestedUrl = { path: string; query: string }

/** Path and query of a request. Browsers never send a fragment, so it is dropped. */
export function readAddress(url: string): RequestedUrl {
  const [all = ''] = url.split('#', 1)
  const mark = all.indexOf('?')
  return mark < 0 ? { path: readPath(all), query: '' } : { path: readPath(all.slice(0, mark)), query: all.slice(mark + 1) }
}

/** Keys and values in their order, in one spelling. */
export function readQuery(query: string): string {
  return query === '' ? '' : new URLSearchParams(query).toString()
}

export function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** Ignores case and keeps the length, so that positions in the result are positions in the text. */
export function foldCase(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase()
  return Array.from(text, foldCharacter).join('').replaceAll('ς', 'σ').replaceAll('ſ', 's')
}

function foldCharacter(character: string): string {
  const low = character.toLowerCase()
  return low.length === character.length ? low : character
}
