import { stop } from '#app/platform/errors/stop.ts'

/** Where a page begins: the version (the current one by default) and the row before it. */
export type RowPosition = { version?: number; cursor?: string }

/** A cursor names its version, so paging stays in that version when another one is published meanwhile. */
export function writeRowPosition(version: number, cursor: string): string {
  return `${version}.${cursor}`
}

export function readRowPosition(cursor: string | undefined, pinned: number | undefined): RowPosition {
  if (cursor === undefined) return pinned === undefined ? {} : { version: pinned }
  const [, version, rest] = /^([1-9]\d{0,8})\.(.+)$/.exec(cursor) ?? []
  if (!version || !rest) return refuse('Invalid cursor.')
  if (pinned !== undefined && pinned !== Number(version)) return refuse('This cursor belongs to another version.')
  return { version: Number(version), cursor: rest }
}

function refuse(sentence: string): never {
  return stop('unprocessable', sentence, { code: 'validation_failed', errors: { cursor: sentence } })
}
