import { stop } from '#app/platform/stop.ts'

/** Where a page begins: in which version, and after which row. Without a version it is the current one. */
export type Place = { version?: number; cursor?: string }

/** A cursor of the API names its version: who reads page after page goes on with the version that they began with, also when another one is published meanwhile. */
export function writePlace(version: number, cursor: string): string {
  return `${version}.${cursor}`
}

export function readPlace(cursor: string | undefined, pinned: number | undefined): Place {
  if (cursor === undefined) return pinned === undefined ? {} : { version: pinned }
  const [, version, rest] = /^([1-9]\d{0,8})\.(.+)$/.exec(cursor) ?? []
  if (!version || !rest) return refuse('This is no cursor of ours.')
  if (pinned !== undefined && pinned !== Number(version)) return refuse('This cursor belongs to another version.')
  return { version: Number(version), cursor: rest }
}

function refuse(sentence: string): never {
  return stop('unprocessable', sentence, { code: 'validation_failed', errors: { cursor: sentence } })
}
