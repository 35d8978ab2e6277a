/** Opens one row beside the list or in its place; the list keeps its page. */
const opening = new Set(['contact', 'user', 'edit', 'new', 'email', 'endpoint'])

/** The same view with some parameters set, and those without a value removed. Another filter or order starts at the first page. */
export function withChanges(params: URLSearchParams, changes: Record<string, string | undefined>): string {
  const next = new URLSearchParams(params)
  if (Object.keys(changes).some((key) => !opening.has(key))) next.delete('cursor')
  for (const [key, value] of Object.entries(changes)) {
    if (value) next.set(key, value)
    else next.delete(key)
  }
  return `?${next}`
}

/** The API URL of this view's list or export. */
export function urlOf(path: string, params: URLSearchParams, keys: string[]): string {
  const asked = new URLSearchParams([...params].filter(([key, value]) => keys.includes(key) && value))
  return asked.size > 0 ? `${path}?${asked}` : path
}

/** The values of a filter in the address. */
export function valuesIn(params: URLSearchParams, filter: { key: string; isMany?: true }): string[] {
  const value = params.get(filter.key)
  if (!value) return []
  return filter.isMany ? value.split(',') : [value]
}

/** `user_signedup`, `role_changed`: as words. The person is shown beside it. */
export function viewText(code: string): string {
  const words = code
    .replace(/^user_/, '')
    .replace('signedup', 'signed_up')
    .replace('signup', 'sign-up')
    .replace(/_made$/, '_created')
    .replace('_cancel_', '_cancellation_')
    .replace(/_asked$/, '_requested')
    .replaceAll('_', ' ')
    .replaceAll(/\b(api|mfa|sms)\b/g, (name) => name.toUpperCase())
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
