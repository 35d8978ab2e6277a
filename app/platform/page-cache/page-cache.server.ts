import { LRUCache } from 'lru-cache'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { onSignal, signal, signalWith } from '#app/platform/database/signals.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import type { Theme } from '#app/platform/http/request-context.server.ts'
import { StaticContent } from './static-content.server.ts'

const MAX_PAGES = 2000
const MAX_BYTES = 64 * 1024 * 1024

const TOPIC = 'pages.clear'

/**
 * Clears cached pages in every process: those at a path (it begins with `/`; with any query), and those with a tag.
 * Call it after the change has been committed.
 */
export async function clearPages(...pathsAndTags: string[]): Promise<void> {
  await signal(TOPIC, pathsAndTags)
}

/** `clearPages` when the transaction commits. */
export async function clearPagesWith(trx: Trx, pathsAndTags: readonly string[]): Promise<void> {
  await signalWith(trx, TOPIC, pathsAndTags)
}

/** The key of a cached page: path and query as written, and the theme. */
export function pageKey(url: string, theme: Theme): string {
  return theme === 'system' ? url : `${url} ${theme}`
}

/** The part of a page’s policy that concerns its cached copies. */
type Keeping = {
  tags: readonly string[]
  unlessCookie?: string | undefined
  seconds?: number | undefined
  lateSeconds?: number | undefined
}

type Render = () => Promise<Response>

/** Whether a visitor with these cookies gets a page of their own instead of the cached one. */
export function hasOwnPage({ unlessCookie }: Pick<Keeping, 'unlessCookie'>, cookie: string | undefined): boolean {
  return unlessCookie !== undefined && cookie !== undefined && cookie.includes(`${unlessCookie}=`)
}

/** Pages for anonymous visitors, each rendered once. Pages that were not requested lately are evicted. */
export class PageCache {
  readonly #pages = new LRUCache<string, CachedPage>({
    max: MAX_PAGES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ content }) => content.bytes,
  })
  #writing = new Map<string, Promise<CachedPage | undefined>>()
  #closed = false
  #clearings = 0
  #deaf = [onSignal(TOPIC, (names) => this.#clear(Array.isArray(names) ? names : [])), onSignal('reconnected', () => this.#clearAll())]

  find(key: string): CachedPage | undefined {
    const page = this.#pages.get(key)
    if (!page) return undefined
    const overdue = Date.now() - page.freshUntil
    if (overdue >= page.lateMs) {
      this.#pages.delete(key)
      return undefined
    }
    if (overdue >= 0) this.#renew(key, page)
    return page
  }

  /** Renders the next copy of a page that may come late, at most twice in that time, while everyone gets this one. */
  #renew(key: string, { renew, writtenAt, lateMs }: CachedPage) {
    if (!renew || this.#writing.has(key) || Date.now() < writtenAt + lateMs / 2) return
    // The copy that follows, or its failure, is for the request that finds none.
    this.#begin(key, renew.policy, renew.render).catch(() => undefined)
  }

  #begin(key: string, policy: Keeping, render: Render): Promise<CachedPage | undefined> {
    const writing = this.#write(key, policy, render).finally(() => {
      if (this.#writing.get(key) === writing) this.#writing.delete(key)
    })
    this.#writing.set(key, writing)
    return writing
  }

  /**
   * The page, from the cache or rendered now; concurrent requests share one rendering. A page that may not be cached
   * (an error, a cookie for one visitor) is rendered for each.
   */
  async obtain(key: string, policy: Keeping, render: Render): Promise<CachedPage | Response> {
    const found = this.find(key) ?? (await this.#writing.get(key)?.catch(() => undefined))
    if (found) return found
    let uncommon: Response | undefined
    const writing = this.#begin(key, policy, async () => (uncommon = await render()))
    return (await writing) ?? uncommon ?? render()
  }

  async #write(key: string, policy: Keeping, render: Render): Promise<CachedPage | undefined> {
    const clearings = this.#clearings
    const response = await render()
    if (!mayBeKept(response)) return undefined
    const page = await toCachedPage(pathOf(key), response, policy)
    if (page.lateMs > 0) page.renew = { policy, render }
    // Cleared during its rendering: right for earlier requests, wrong for later ones.
    const isCurrent = clearings === this.#clearings
    if (!isCurrent) page.freshUntil = Date.now()
    if ((isCurrent || page.lateMs > 0) && !this.#closed) this.#pages.set(key, page)
    return page
  }

  #clear(names: readonly unknown[]) {
    this.#clearings += 1
    // A copy: pages are deleted on the way.
    const pages = [...this.#pages]
    for (const [key, page] of pages) {
      if (!names.includes(pathOf(key)) && !page.tags.some((tag) => names.includes(tag))) continue
      // The first of several changes counts.
      if (page.lateMs > 0) page.freshUntil = Math.min(page.freshUntil, Date.now())
      else this.#pages.delete(key)
    }
  }

  /** Clears pages in this process only, by their address with its query. */
  forget(isStale: (url: string) => boolean) {
    this.#clearings += 1
    const stale = [...this.#pages.keys()].filter((key) => isStale(key.split(' ', 1)[0] ?? key))
    for (const key of stale) this.#pages.delete(key)
  }

  #clearAll() {
    this.#clearings += 1
    this.#pages.clear()
  }

  /** From now on nothing is cached, and the framework sends every response and closes its connection. */
  close() {
    this.#closed = true
    for (const stopListening of this.#deaf) stopListening()
    this.#clearAll()
  }
}

function mayBeKept({ status, headers }: Response): boolean {
  return status === 200 && !headers.has('set-cookie') && !/no-store|private/.test(headers.get('cache-control') ?? '')
}

function pathOf(key: string): string {
  return key.split(/[? ]/, 1)[0] ?? key
}

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** One page that is the same for every anonymous visitor. */
type CachedPage = Omit<Keeping, 'seconds' | 'lateSeconds'> & {
  path: string
  writtenAt: number
  freshUntil: number
  /** For how long it is still sent after that, while the next copy is rendered. */
  lateMs: number
  renew?: { policy: Keeping; render: Render }
  content: StaticContent
}

/** An upper limit, so that a missed invalidation corrects itself. */
const LIFE_SECONDS = 600

/** Prepares a rendered page, with its final headers, to be sent many times. */
async function toCachedPage(path: string, response: Response, policy: Keeping): Promise<CachedPage> {
  const plain = Buffer.from(await response.arrayBuffer())
  // A page that lives for seconds is sent too seldom to be worth the smallest size.
  const quality = policy.seconds === undefined ? 9 : 4
  const [br, zipped] = await Promise.all([
    compressBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    compressGzip(plain, { level: quality }),
  ])
  const headers = { ...Object.fromEntries(response.headers), vary: 'Accept-Encoding, Cookie, Authorization' }
  const content = new StaticContent(headers, { identity: plain, br, gzip: zipped })
  const { tags, unlessCookie, seconds = LIFE_SECONDS, lateSeconds = 0 } = policy
  const writtenAt = Date.now()
  return {
    path,
    tags,
    unlessCookie,
    writtenAt,
    freshUntil: writtenAt + seconds * 1000,
    lateMs: lateSeconds * 1000,
    content,
  }
}
