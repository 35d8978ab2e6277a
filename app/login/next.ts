const BASE = 'http://here.invalid'

/**
 * Where to go after signing in: a path of this site, or nothing. A browser takes `//host` and `/\host` for other sites and drops
 * tabs and line breaks from addresses, so the address is read as a browser reads it.
 */
export function safeNext(next: string | null | undefined): string | undefined {
  if (!next?.startsWith('/')) return undefined
  const url = URL.parse(next, BASE)
  if (!url || url.origin !== BASE || url.pathname.startsWith('//')) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}

/** Where who signs in goes without a wish of their own. */
export const AFTER_SIGN_IN = '/dashboard'
