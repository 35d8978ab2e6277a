/** One line of the list, as far as the engine looks at it. Their order is that of the list. */
export type Rule = {
  id: string
  fromPath: string
  toPath: string
  statusCode: number
  /** Letter by letter, with a `*` at its end for any rest, or as a regular expression for the whole path. */
  kind: 'exact' | 'wildcard' | 'pattern'
  /** A query is handed on, dropped, or has to be the one that stands in `fromPath`. */
  query: 'pass' | 'ignore' | 'exact'
  /** One slash at the end, there or not, makes no difference. */
  ignoresSlash: boolean
  ignoresCase: boolean
}

/** In characters: paths that are longer match no rule, so that no pattern takes long. */
export const LONGEST_PATH = 1000

/** What no redirect may answer for, each with all that lies below it: who writes rules could otherwise lock everybody out. */
export const PROTECTED = [
  '/api',
  '/auth',
  '/admin',
  '/login',
  '/dashboard',
  '/account',
  '/assets',
  '/dev',
  '/healthz',
  '/readyz',
  '/metrics',
  '/images',
  '/avatars',
  '/files',
  '/theme',
  // Asked for by live pages, by crawlers, and by who proves that a name is ours.
  '/__manifest',
  '/robots.txt',
  '/sitemap.xml',
  '/.well-known',
]

/** What is wrong between rules: the addresses on the way, and the rules that take part, the one that leads first. */
export type Problem = {
  kind: 'loop' | 'self' | 'chain' | 'duplicate' | 'shadowed' | 'shadows-page'
  message: string
  path: string[]
  ids: string[]
}

/** Whether a target hands on a rest below a path of its own: `/blog/*`, and not `/*` or `https://host/*`. */
export function endsBelow(toPath: string): boolean {
  return /^(?:https?:\/\/[^/?#]+)?\/[^?#]*[^/?#]\/\*$/i.test(toPath)
}
