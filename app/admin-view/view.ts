/** Opens one row beside the list or in its place; the list stays where it is. */
const opening = new Set(['contact', 'user', 'edit', 'new'])

/** The same view with some parameters set, and those without a value taken away. Another choice or order begins at the first page. */
export function withChanges(params: URLSearchParams, changes: Record<string, string | undefined>): string {
  const next = new URLSearchParams(params)
  if (Object.keys(changes).some((key) => !opening.has(key))) next.delete('cursor')
  for (const [key, value] of Object.entries(changes)) {
    if (value) next.set(key, value)
    else next.delete(key)
  }
  return `?${next}`
}

/** Where the list of this view is read, or its export. */
export function urlOf(path: string, params: URLSearchParams, keys: string[]): string {
  const asked = new URLSearchParams([...params].filter(([key, value]) => keys.includes(key) && value))
  return asked.size > 0 ? `${path}?${asked}` : path
}

/** `user_signedup`, `role_changed`: as words. Whom it is about is said beside it. */
export function inWords(code: string): string {
  const words = code
    .replace(/^user_/, '')
    .replace('signedup', 'signed_up')
    .replace('signup', 'sign-up')
    .replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
