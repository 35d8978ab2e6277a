import { env } from '#app/platform/env.server.ts'
import { readUrlPattern } from './url-pattern.ts'

type Rule = (target: URL) => boolean

const LONGEST = 2048
/** A host written as one number disguises an IP address. */
const NUMBER_FOR_HOST = /^https?:\/\/(\d+|0x[\da-f]+)(?=[:/?#]|$)/i
/** IPv6 hosts have brackets, which mean something else in a pattern. */
const NUMBER_IN_BRACKETS = /^\[[\da-f:.]+\](:\d+)?$/

const rules: Rule[] = [env.SITE_URL, ...env.URI_ALLOW_LIST].map(readRule)

/**
 * Returns the redirect target if it is on this site or matches URI_ALLOW_LIST, and is not disguised as another URL.
 * Otherwise `undefined`: the email then leads to our own pages only.
 */
export function allowedTarget(text: string | null | undefined, among = rules): string | undefined {
  if (!text || text.length > LONGEST || /[\\\s\p{Cc}]/u.test(text) || NUMBER_FOR_HOST.test(text)) return undefined
  const target = URL.parse(text)
  if (!target || target.username || target.password || /^(javascript|data|vbscript|blob|file):$/.test(target.protocol)) return undefined
  target.hash = ''
  return among.some((allows) => allows(target)) ? target.href : undefined
}

/** Whether the origin belongs to a program in URI_ALLOW_LIST. Paths are ignored: an origin has none. */
export function isListedOrigin(origin: string | undefined, list: readonly string[] = env.URI_ALLOW_LIST): boolean {
  const url = origin && /^https?:/.test(origin) && !NUMBER_FOR_HOST.test(origin) ? URL.parse(origin) : null
  return url !== null && url !== undefined && url.origin === origin && list.some((entry) => readPlace(entry)(url))
}

/**
 * An origin allows all its URLs; a longer entry allows only matches. The host is matched alone,
 * so neither a path nor a query can match a host pattern.
 */
export function readRule(entry: string): Rule {
  const [, , rest = ''] = split(entry)
  const isPlace = readPlace(entry)
  const isRest = rest === '' || rest === '/' ? () => true : readUrlPattern(rest)
  return (target) => isPlace(target) && isRest(target.pathname + target.search)
}

/** Matches only the scheme and host of an entry. */
function readPlace(entry: string): Rule {
  const [scheme, host = ''] = split(entry)
  const named = host.toLowerCase()
  const isHost = NUMBER_IN_BRACKETS.test(named) ? (found: string) => found === named : readUrlPattern(named)
  return ({ protocol, host: found }) => protocol === scheme?.toLowerCase() && isHost(found)
}

function split(entry: string): string[] {
  return /^([a-z][a-z\d+.-]*:)\/\/([^/#]*)(.*)$/is.exec(entry)?.slice(1) ?? []
}
