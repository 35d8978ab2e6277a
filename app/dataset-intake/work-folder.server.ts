import path from 'node:path'
import { env } from '#app/platform/env.server.ts'

/** Beside the files, so that no backup takes what is unfinished for one. */
export function workFolder(name: string): string {
  return path.resolve(env.DATA_DIR, 'unfinished', `reading-${name}`)
}
