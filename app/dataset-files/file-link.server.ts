import { timingSafeEqual } from 'node:crypto'
import { mac } from '#app/platform/keys.server.ts'
import { stop } from '#app/platform/stop.ts'
import { FILES } from './download.ts'

const PURPOSE = 'dataset-file'
/** Stays below that of sessions, so that a link dies with the session that it was made in. */
const LASTS_MS = 15 * 60_000

type FileLink = {
  /** Its row in `downloads`: who it is for, and what it leads to. */
  download: string
  /** How many seconds it still lasts. */
  seconds: number
}

/** The address of a file, for 15 minutes. */
export function linkTo(download: string, name: string): string {
  const until = (Date.now() + LASTS_MS).toString(36)
  return `${FILES}/${name}?link=${download}.${until}.${signatureOf(download, until, name)}`
}

/** Reads such an address again; stops for one that was altered, or that has run out. */
export function readLink(name: string, link: string): FileLink {
  const [download = '', until = '', signature = '', ...rest] = link.split('.')
  if (rest.length > 0 || !isSame(signature, signatureOf(download, until, name))) {
    stop('forbidden', 'This is not a link that we have made.', { code: 'link_altered' })
  }
  const left = Number.parseInt(until, 36) - Date.now()
  if (left <= 0) stop('gone', 'This link has run out. Start the download again.', { code: 'link_expired' })
  return { download, seconds: Math.ceil(left / 1000) }
}

function signatureOf(...parts: string[]): string {
  return mac(PURPOSE, parts.join('\n')).toString('base64url')
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
