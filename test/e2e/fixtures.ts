import { expect as baseExpect, test as base, type Page, type TestInfo } from '@playwright/test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Server, startServer } from './server.ts'

/** Patient also in the global setup, which signs up the owner of the templates and gets no timeout of the configuration. */
export const expect = baseExpect.configure({ timeout: 20_000 })

type Options = {
  /** Settings of the server beyond the defaults. */
  settings: Record<string, string>
  /** Whether Olive already owns the installation. Otherwise the first confirmed account will. */
  owned: boolean
}

type Site = Server & { dataDir: string }

/** The tests of an installation come from one network, and its people ask for emails without a pause. */
const forMany: Record<string, string> = { RATE_LIMITS: 'off', SMTP_MAX_FREQUENCY: '0' }

/** The shared installations of a worker. */
class SharedSites {
  readonly #open = new Map<string, { site: Site; isSpecial: boolean }>()

  /** One for all tests with these settings and this ownership. Those with special settings are few and in one file, so only the last one is kept. */
  async get({ settings, owned }: Options, run: number): Promise<Site> {
    const all = { ...forMany, ...settings }
    const isSpecial = Object.entries(settings).some(([name, value]) => forMany[name] !== value)
    const key = JSON.stringify([owned, run, Object.entries(all).toSorted(([one], [other]) => one.localeCompare(other))])
    const found = this.#open.get(key)
    if (found) return found.site
    if (isSpecial) await this.close(({ isSpecial: isOther }) => isOther)
    const site = await openSite(all, owned)
    this.#open.set(key, { site, isSpecial })
    return site
  }

  async close(which: (one: { isSpecial: boolean }) => boolean = () => true) {
    for (const [key, one] of this.#open) {
      if (!which(one)) continue
      this.#open.delete(key)
      await closeSite(one.site)
    }
  }
}

/** A browser test with its own, newly started installation. */
export const test = base.extend<Options & { site: Site }, { sharedSites: SharedSites }>({
  settings: [{}, { option: true }],
  owned: [false, { option: true }],
  sharedSites: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from here which other fixtures are needed.
    async ({}, use) => {
      const sites = new SharedSites()
      await use(sites)
      await sites.close()
    },
    { scope: 'worker' },
  ],
  site: async ({ settings, owned }, use, info) => {
    const site = await openSite(settings, owned)
    await use(site)
    await attachOutput(site, info)
    await closeSite(site)
  },
  baseURL: async ({ site }, use) => use(site.url),
})

/** For tests of public pages that see nothing of what other visitors do: those of a worker with the same settings share one installation. */
export const readingTest = test.extend({
  site: async ({ sharedSites, settings, owned }, use, info) => {
    // A test that is repeated does not meet its own rows.
    const site = await sharedSites.get({ settings, owned }, info.repeatEachIndex)
    await use(site)
    await attachOutput(site, info)
  },
})

/** For tests of the workspace that look only at rows of their own: those of a worker with the same settings share one installation with its owner. */
export const workingTest = readingTest.extend({
  // oxlint-disable-next-line no-empty-pattern -- As above.
  owned: async ({}, use) => use(true),
})

/**
 * For tests that need no installation, or start their own. Where an address is given, Playwright asks for it before each test and hook, and so for
 * the site. Its own `test` would run in other workers, and each change of the worker starts the shared installations again.
 */
export const bareTest = test.extend({
  // oxlint-disable-next-line no-empty-pattern -- As above.
  baseURL: async ({}, use) => use(undefined),
})

async function openSite(settings: Record<string, string>, owned: boolean): Promise<Site> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-site-'))
  cpSync(process.env[owned ? 'E2E_OWNED_TEMPLATE' : 'E2E_TEMPLATE'] ?? '', dataDir, { recursive: true })
  return { ...(await startServer({ DATA_DIR: dataDir, ...settings })), dataDir }
}

async function closeSite({ stop, dataDir }: Site) {
  await stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function attachOutput({ output }: Site, info: TestInfo) {
  if (info.status !== info.expectedStatus) await info.attach('server output', { body: output(), contentType: 'text/plain' })
}

/**
 * Waits until the footer of a live page, its last part to become live, handles clicks itself, and the button of the search works, which waits for the
 * whole frame. Before, a link opens a new document, which is right for people and not what a test of navigation in place looks at.
 */
export async function untilLive(page: Page) {
  await page.waitForFunction(() => {
    const link = document.querySelector('footer a')
    const isTaken = link !== null && Object.keys(link).some((key) => key.startsWith('__react'))
    return isTaken && document.querySelector('button[aria-keyshortcuts]:disabled') === null
  })
}
