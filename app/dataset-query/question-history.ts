import { z } from 'zod/mini'

/** One's last questions to a dataset, the newest first. They stay in this browser, and each one in it has their own. */
const kept = z.array(z.string())

const MOST = 20

export function keyOf(viewerId: string, productId: string): string {
  return `questions:${viewerId}:${productId}`
}

/** Nothing where there is none, or where this browser keeps nothing. */
export function readHistory(key: string): string[] {
  try {
    const read = kept.safeParse(JSON.parse(localStorage.getItem(key) ?? '[]'))
    return read.success ? read.data.slice(0, MOST) : []
  } catch {
    return []
  }
}

/** The list with this question at its head: asked again, it moves up. */
export function remember(key: string, sql: string): string[] {
  const next = [sql, ...readHistory(key).filter((other) => other !== sql)].slice(0, MOST)
  try {
    localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // A browser that keeps nothing, or has no room, still shows it until the page is left.
  }
  return next
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // There was nothing then.
  }
}
