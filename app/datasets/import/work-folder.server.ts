import path from 'node:path'
import { env } from '#app/platform/env.server.ts'

/** Beside the stored files, so that backups skip unfinished ones. */
export function workFolder(name: string): string {
  return path.resolve(env.DATA_DIR, 'unfinished', `reading-${name}`)
}
