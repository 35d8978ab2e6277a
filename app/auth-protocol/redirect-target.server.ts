import { env } from '#app/platform/env.server.ts'
import { readPattern } from './url-pattern.ts'

type Rule = (target: URL) => boolean

const LONGEST = 2048
/** An address written as one number is a disguise. */
const NUMBER_FOR_HOST = /^https?:\/\/(\d+|0x[\da-f]+)(?=[:/?#]|$)/i
/** An address of version 6 stands in brackets, which mean something else in a pattern. */
const NUMBER_IN_BRACKETS = /^\[[\da-f:.]+\](:\d+)?$/

const rules: Rule[] = [env.SITE_URL, ...env.URI_ALLOW_LIST].map(readRule)

/**
 * The address that someone who has followed a letter may go on to: on this site, or named by URI_ALLOW_LIST, and written without any of the
 * ways to look like another one. Nothing where it is not: the letter then leads to our own pages alone.
 */
export function allowedTarget(text: string | null | undefined, among = rules): string | undefined {
  if (!text || text.length > LONGEST || /[\\\s\p{Cc}]/u.test(text) || NUMBER_FOR_HOST.test(text)) return undefined
  const target = URL.parse(text)
  if (!target || target.username || target.password || /^(javascript|data|vbscript|blob|file):$/.test(target.protocol)) return undefined
  target.hash = ''
  return among.some((allows) => allows(target)) ? target.href : undefined
}

/** Whether pages of this origin belong to one of the programs that URI_ALLOW_LIST names. Paths do not matter: an origin has none. */
export function isListedOrigin(origin: string | undefined, list: readonly string[] = env.URI_ALLOW_LIST): boolean {
  const url = origin && /^https?:/.test(origin) && !NUMBER_FOR_HOST.test(origin) ? URL.parse(origin) : null
  return url !== null && url !== undefined && url.origin === origin && list.some((entry) => readPlace(entry)(url))
}

/**
 * An origin allows all of it, anything longer only what fits. The host is compared with the host alone, so no pattern for it can be met by a
 * path or a query.
 */
export function readRule(entry: string): Rule {
  const [, , rest = ''] = split(entry)
  const isPlace = readPlace(entry)
  const isRest = rest === '' || rest === '/' ? () => true : readPattern(rest)
  return (target) => isPlace(target) && isRest(target.pathname + target.search)
}

/** Scheme and host of an entry alone. */
function readPlace(entry: string): Rule {
  const [scheme, host = ''] = split(entry)
  const named = host.toLowerCase()
  const isHost = NUMBER_IN_BRACKETS.test(named) ? (found: string) => found === named : readPattern(named)
  return ({ protocol, host: found }) => protocol === scheme?.toLowerCase() && isHost(found)
}

function split(entry: string): string[] {
  return /^([a-z][a-z\d+.-]*:)\/\/([^/#]*)(.*)$/is.exec(entry)?.slice(1) ?? []
}
