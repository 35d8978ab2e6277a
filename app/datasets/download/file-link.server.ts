import { timingSafeEqual } from 'node:crypto'
import { macText } from '#app/platform/guard/keys.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { FILES } from './download.ts'

const PURPOSE = 'dataset-file'
/** Less than the lifetime of sessions, so that a link expires with its session. */
const LASTS_MS = 15 * 60_000

type FileLink = {
  /** The id in `downloads`: the user and the file. */
  download: string
  /** The remaining seconds. */
  seconds: number
}

/** The signed URL of a file, valid for 15 minutes. */
export function linkTo(download: string, name: string): string {
  const until = (Date.now() + LASTS_MS).toString(36)
  return `${FILES}/${name}?link=${download}.${until}.${signatureOf(download, until, name)}`
}

/** Parses such a URL; throws if it was altered or has expired. */
export function readLink(name: string, link: string): FileLink {
  const [download = '', until = '', signature = '', ...rest] = link.split('.')
  if (rest.length > 0 || !isSame(signature, signatureOf(download, until, name))) {
    stop('forbidden', 'This download link is invalid.', { code: 'link_altered' })
  }
  const left = Number.parseInt(until, 36) - Date.now()
  if (left <= 0) stop('gone', 'This link has expired. Start the download again.', { code: 'link_expired' })
  return { download, seconds: Math.ceil(left / 1000) }
}

function signatureOf(...parts: string[]): string {
  return macText(PURPOSE, parts.join('\n'))
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
