import { writeAddress, writePath } from './address.server.ts'
import { endsBelow, type Rule } from './rule.ts'

/** In characters, for a whole address. */
const LONGEST = 8000

export type Target = { location: string; isOutside: boolean }

/** `query` is what is passed on of the visitor's. */
export type Template = { make: (caught: readonly string[], query: string) => Target | undefined; isFixed: boolean }

/** The rest captured by a wildcard whose own path was requested without a slash: the target then loses its slash as well. */
export const NO_REST = '\0'

/** Placeholders in a target: `*` for the rest, `$1` to `$9` for groups. */
const marks = { exact: /(?!)/g, wildcard: /\*/g, pattern: /\$[1-9]/g }

/** The numbers of the placeholders in a target, from 1. */
export function namedIn({ kind, toPath }: Pick<Rule, 'kind' | 'toPath'>): number[] {
  return Array.from(toPath.matchAll(marks[kind]), ([mark]) => (mark === '*' ? 1 : Number(mark.slice(1))))
}

/** Whether a visitor's input could choose the host. Placeholders are safe only after the first slash behind the host. */
export function choosesSite({ kind, toPath }: Pick<Rule, 'kind' | 'toPath'>): boolean {
  const at = toPath.search(marks[kind])
  return at >= 0 && !toPath.startsWith('/') && !/^https?:\/\/[^/?#\\]+[/?#]/i.test(toPath.slice(0, at))
}

/** `site` is our own origin: targets below it become paths. */
export function readTarget(rule: Rule, site: string): Template {
  const toPath = rule.toPath.replace(/^https?:\/\/[^/?#\\]*/i, (start) => URL.parse(start)?.href.slice(0, -1) ?? start)
  const pieces = piecesOf({ ...rule, toPath })
  const host = hostOf(toPath)
  return {
    isFixed: pieces.every((piece) => typeof piece === 'string'),
    make(caught, query) {
      const rest = caught[0] === NO_REST ? [''] : caught
      const made = pieces.map((piece) => (typeof piece === 'string' ? piece : write(piece, rest))).join('')
      const written = rest === caught ? made : withoutLastSlash(made, toPath)
      const location = withQuery(written.startsWith('/') ? written.replace(/^[/\\]+/, '/') : written, query)
      // A last check against open redirects, whatever earlier checks have missed.
      if (location.length > LONGEST || hostOf(location) !== host) return undefined
      const own = ownPath(location, site)
      return own === undefined ? { location, isOutside: true } : { location: own, isOutside: false }
    },
  }
}

/** `/blog/*` without a rest is `/blog`. The slash right after the host stays. */
function withoutLastSlash(made: string, toPath: string): string {
  return endsBelow(toPath) ? made.replace(/\/$/, '') : made
}

type Piece = string | { index: number; isPath: boolean }

function piecesOf({ kind, toPath }: Rule): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: mark, index } of toPath.matchAll(marks[kind])) {
    pieces.push(writeAddress(toPath.slice(end, index)))
    pieces.push({ index: mark === '*' ? 0 : Number(mark[1]) - 1, isPath: !/[?#]/.test(toPath.slice(0, index)) })
    end = index + mark.length
  }
  return [...pieces, writeAddress(toPath.slice(end))]
}

function write({ index, isPath }: { index: number; isPath: boolean }, caught: readonly string[]): string {
  const text = caught[index] ?? ''
  // A `%XX` that stayed encoded when it was read is one character, not three.
  return isPath ? writePath(text) : encodeURIComponent(text).replaceAll(/%25([\dA-F]{2})/g, '%$1')
}

function withQuery(written: string, query: string): string {
  if (query === '') return written
  const [place = '', ...fragment] = written.split(/(?=#)/)
  return [place, place.includes('?') ? '&' : '?', writeAddress(query), ...fragment].join('')
}

function hostOf(address: string): string | undefined {
  const [, host] = /^https?:\/\/([^/?#\\]*)/i.exec(address) ?? []
  return host?.toLowerCase()
}

function ownPath(location: string, site: string): string | undefined {
  if (location.startsWith('/')) return location
  const url = URL.parse(location)
  return url?.origin === site ? url.pathname.replace(/^\/+/, '/') + url.search + url.hash : undefined
}
