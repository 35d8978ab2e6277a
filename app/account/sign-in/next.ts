const BASE = 'http://here.invalid'

/**
 * The target after signing in: a path of this site, or nothing. Browsers take `//host` and `/\host` for other sites and drop tabs and line
 * breaks from URLs, so the URL is parsed as a browser parses it.
 */
export function safeNext(next: string | null | undefined): string | undefined {
  if (!next?.startsWith('/')) return undefined
  const url = URL.parse(next, BASE)
  if (!url || url.origin !== BASE || url.pathname.startsWith('//')) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}

/** The default target after signing in. */
export const AFTER_SIGN_IN = '/dashboard'
