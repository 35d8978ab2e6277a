/** A redirect as the engine sees it. Rules are ordered as in the list. */
export type Rule = {
  id: string
  fromPath: string
  toPath: string
  statusCode: number
  /** Literally, with a `*` at the end for any rest, or as a regular expression for the whole path. */
  kind: 'exact' | 'wildcard' | 'pattern'
  /**
   * A query is passed on, dropped, has to equal the one in `fromPath`, or has to contain it. What is not part of the match is passed on;
   * for `exact` these are tracking parameters.
   */
  query: 'pass' | 'ignore' | 'exact' | 'contains'
  /** A trailing slash makes no difference. */
  ignoresSlash: boolean
  ignoresCase: boolean
}

/** In characters: longer paths match no rule, which bounds the time of a pattern. */
export const LONGEST_PATH = 1000

/** Paths that no redirect may cover, each with all paths below it. A mistake here could lock everybody out. */
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
  // Requested by live pages, by browsers, by crawlers, and for proof that the domain is ours.
  '/__manifest',
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/robots.txt',
  '/sitemap.xml',
  '/.well-known',
]

/** A problem between rules: the addresses of the chain, and its rules in order. */
export type RuleProblem = {
  kind: 'loop' | 'self' | 'chain' | 'duplicate' | 'shadowed' | 'shadows-page'
  message: string
  path: string[]
  ids: string[]
}

/** Whether a target passes the rest on below a path of its own: `/blog/*`, but not `/*` or `https://host/*`. */
export function endsBelow(toPath: string): boolean {
  return /^(?:https?:\/\/[^/?#]+)?\/[^?#]*[^/?#]\/\*$/i.test(toPath)
}
