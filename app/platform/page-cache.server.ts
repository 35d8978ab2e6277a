import { type KeptPage, toKeptPage } from './kept-page.server.ts'
import { onSignal, signal, signalWith } from './signals.server.ts'
import type { Trx } from './db.server.ts'
import type { Theme } from './visit.server.ts'

const MAX_PAGES = 2000
const MAX_BYTES = 64 * 1024 * 1024

const TOPIC = 'pages.clear'

/**
 * Forgets kept pages in every process: those at a path (it begins with `/`; with any query), and those with a tag.
 * Call it when what they show has been committed.
 */
export async function clearPages(...pathsAndTags: string[]): Promise<void> {
  await signal(TOPIC, pathsAndTags)
}

/** The same when the transaction is kept. */
export async function clearPagesWith(trx: Trx, pathsAndTags: readonly string[]): Promise<void> {
  await signalWith(trx, TOPIC, pathsAndTags)
}

/** What makes one page a page of its own: path and query as written, and the theme that it is written in. */
export function pageKey(url: string, theme: Theme): string {
  return theme === 'system' ? url : `${url} ${theme}`
}

/** Pages for strangers, each written once. What nobody has asked for lately makes room. */
export class PageCache {
  #pages = new Map<string, KeptPage>()
  #writing = new Map<string, Promise<KeptPage | undefined>>()
  #bytes = 0
  #closed = false
  #clearings = 0
  #deaf = [onSignal(TOPIC, (names) => this.#clear(Array.isArray(names) ? names : [])), onSignal('reconnected', () => this.#clearAll())]

  find(key: string): KeptPage | undefined {
    const page = this.#pages.get(key)
    if (!page) return undefined
    if (page.freshUntil > Date.now()) {
      page.used = true
      return page
    }
    this.#drop(key, page)
    return undefined
  }

  /**
   * The page, from where it is kept or as rendered now; however many ask at once, one rendering serves them. What may not be kept
   * (an error, a cookie for one visitor) is rendered for each.
   */
  async obtain(key: string, tags: readonly string[], render: () => Promise<Response>): Promise<KeptPage | Response> {
    const found = this.find(key) ?? (await this.#writing.get(key)?.catch(() => undefined))
    if (found) return found
    let uncommon: Response | undefined
    const writing = this.#write(key, tags, async () => (uncommon = await render()))
    this.#writing.set(key, writing)
    try {
      return (await writing) ?? uncommon ?? render()
    } finally {
      if (this.#writing.get(key) === writing) this.#writing.delete(key)
    }
  }

  async #write(key: string, tags: readonly string[], render: () => Promise<Response>): Promise<KeptPage | undefined> {
    const clearings = this.#clearings
    const response = await render()
    if (!mayBeKept(response)) return undefined
    const page = await toKeptPage(pathOf(key), response, tags)
    // Cleared while it was being written: right for those who asked before, wrong for those who ask later.
    if (clearings === this.#clearings && !this.#closed) this.#keep(key, page)
    return page
  }

  #keep(key: string, page: KeptPage) {
    const before = this.#pages.get(key)
    if (before) this.#drop(key, before)
    this.#pages.set(key, page)
    this.#bytes += page.content.bytes
    for (const [candidate, old] of this.#pages) {
      if (this.#pages.size <= MAX_PAGES && this.#bytes <= MAX_BYTES) return
      this.#drop(candidate, old)
      if (old.used) this.#spare(candidate, old)
    }
  }

  /** To the end of the queue; it goes next time unless someone asks for it until then. */
  #spare(key: string, page: KeptPage) {
    page.used = false
    this.#pages.set(key, page)
    this.#bytes += page.content.bytes
  }

  #drop(key: string, page: KeptPage) {
    if (this.#pages.delete(key)) this.#bytes -= page.content.bytes
  }

  #clear(names: readonly unknown[]) {
    this.#clearings += 1
    for (const [key, page] of this.#pages) {
      if (names.includes(pathOf(key)) || page.tags.some((tag) => names.includes(tag))) this.#drop(key, page)
    }
  }

  /** Forgets pages in this process alone, by their address with its query. */
  forget(isStale: (url: string) => boolean) {
    this.#clearings += 1
    for (const [key, page] of this.#pages) if (isStale(key.split(' ', 1)[0] ?? key)) this.#drop(key, page)
  }

  #clearAll() {
    this.#clearings += 1
    this.#pages.clear()
    this.#bytes = 0
  }

  /** From now on nothing is kept, and every answer is the framework's, which ends connections when the server does. */
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
