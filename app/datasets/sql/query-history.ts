import { z } from 'zod/mini'

/** The user's last queries on a dataset, newest first, in localStorage by user. */
const kept = z.array(z.string())

const MOST = 20

export function historyKey(currentUserId: string, productId: string): string {
  return `questions:${currentUserId}:${productId}`
}

/** Empty if there is none, or if this browser has no storage. */
export function readHistory(key: string): string[] {
  try {
    const read = kept.safeParse(JSON.parse(localStorage.getItem(key) ?? '[]'))
    return read.success ? read.data.slice(0, MOST) : []
  } catch {
    return []
  }
}

/** The list with this query first; a repeated query moves up. */
export function rememberQuery(key: string, sql: string): string[] {
  const next = [sql, ...readHistory(key).filter((other) => other !== sql)].slice(0, MOST)
  try {
    localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // Without storage, the history lasts until the page closes.
  }
  return next
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // There was no history.
  }
}
