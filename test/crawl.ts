import { existsSync } from 'node:fs'
import { env } from '#app/platform/env.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'

export type Visited = {
  status: number
  type: string
  /** The target of a redirect. */
  location: string | undefined
  /** Whether search engines may list it: a document without `noindex`. */
  isListed: boolean
  /** Its canonical address. */
  canonical: string | undefined
  ids: ReadonlySet<string>
  /** Addresses on this site, with query and anchor. */
  leads: readonly string[]
}

/** Everything that a visitor reaches from these addresses by links, pictures, files and forms, by address without the fragment. */
export async function crawl(app: Http, ...starts: string[]): Promise<Map<string, Visited>> {
  const visited = new Map<string, Visited>()
  const waiting = [...starts]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [address = ''] = next.split('#')
    if (visited.has(address)) continue
    const found = await visit(app, address)
    visited.set(address, found)
    waiting.push(...found.leads, ...(found.location ? [found.location] : []))
  }
  return visited
}

const file: Visited = { status: 200, type: 'file', location: undefined, isListed: false, canonical: undefined, ids: new Set(), leads: [] }

async function visit(app: Http, address: string): Promise<Visited> {
  if (isFile(address)) return file
  const { statusCode, headers, body } = await app.inject(address)
  const type = String(headers['content-type'])
  const isText = /^(text|application\/(xml|manifest))/.test(type)
  const isSecret = /<meta name="robots" content="noindex"|name="robots"[^>]*noindex/.test(body) || headers['x-robots-tag'] === 'noindex'
  return {
    status: statusCode,
    type,
    location: headers.location === undefined ? undefined : onThisSite(headers.location),
    isListed: statusCode === 200 && type.startsWith('text/html') && !isSecret,
    canonical: /<link rel="canonical" href="([^"]*)"/.exec(body)?.[1],
    ids: new Set([...body.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)),
    leads: isText ? leadsIn(body, address) : [],
  }
}

/** The build serves these from its folder, and Vite in development. */
function isFile(address: string): boolean {
  const [path = ''] = address.split('?')
  if (path.startsWith('/@')) return true
  return path !== '/' && (existsSync(`public${path}`) || (/^\/(app|node_modules)\//.test(path) && existsSync(`.${path}`)))
}

function leadsIn(text: string, from: string): string[] {
  const attributes = [...text.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, value = '']) => value.replaceAll('&amp;', '&'))
  const whole = [...text.matchAll(/https?:\/\/[^\s"'<>)\\]+/g)].map(([url]) => url)
  const values = [...attributes, ...whole, ...[...text.matchAll(/"src":"([^"]+)"/g)].map(([, value = '']) => value)]
  return [...new Set(values.flatMap((value) => onThisSite(value, from) ?? []))]
}

function onThisSite(value: string, from = '/'): string | undefined {
  const url = URL.parse(value, env.SITE_URL + from)
  return url?.origin === env.SITE_URL ? url.pathname + url.search + url.hash : undefined
}
