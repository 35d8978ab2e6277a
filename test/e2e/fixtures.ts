import { test as base, type Page, type TestInfo } from '@playwright/test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Server, startServer } from './server.ts'

export { expect } from '@playwright/test'

type Options = {
  /** Settings of the server beyond the defaults. */
  settings: Record<string, string>
  /** Whether Olive already owns the installation. Otherwise the first confirmed account will. */
  owned: boolean
}

type Site = Server & { dataDir: string }

/** People of several tests ask for emails without a pause. */
const forOwners = { RATE_LIMITS: 'off', SMTP_MAX_FREQUENCY: '0' }

/** A browser test with its own, newly started installation. */
export const test = base.extend<Options & { site: Site }, { shared: Site; sharedOwned: Site }>({
  settings: [{}, { option: true }],
  owned: [false, { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from here which other fixtures are needed.
  shared: [async ({}, use) => withSite({ RATE_LIMITS: 'off' }, 'E2E_TEMPLATE', use), { scope: 'worker' }],
  // oxlint-disable-next-line no-empty-pattern -- As above.
  sharedOwned: [async ({}, use) => withSite(forOwners, 'E2E_OWNED_TEMPLATE', use), { scope: 'worker' }],
  site: async ({ settings, owned }, use, info) => {
    await withSite(settings, owned ? 'E2E_OWNED_TEMPLATE' : 'E2E_TEMPLATE', async (site) => {
      await use(site)
      await attachOutput(site, info)
    })
  },
  baseURL: async ({ site }, use) => use(site.url),
})

/** For tests of public pages that see nothing of what other visitors do: all those of a worker share one installation. */
export const readingTest = test.extend({
  site: async ({ shared }, use, info) => {
    await use(shared)
    await attachOutput(shared, info)
  },
})

/** For tests of the workspace that look only at rows of their own: all those of a worker share one installation with its owner. */
export const workingTest = test.extend({
  site: async ({ sharedOwned }, use, info) => {
    await use(sharedOwned)
    await attachOutput(sharedOwned, info)
  },
})

/**
 * For tests that need no installation, or start their own. Where an address is given, Playwright asks for it before each test and hook, and so for
 * the site. Its own `test` would run in other workers, and each change of the worker starts the shared installations again.
 */
export const bareTest = test.extend({
  // oxlint-disable-next-line no-empty-pattern -- As above.
  baseURL: async ({}, use) => use(undefined),
})

async function withSite(
  settings: Record<string, string>,
  template: 'E2E_TEMPLATE' | 'E2E_OWNED_TEMPLATE',
  use: (site: Site) => Promise<void>,
) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-site-'))
  cpSync(process.env[template] ?? '', dataDir, { recursive: true })
  const server = await startServer({ DATA_DIR: dataDir, ...settings })
  await use({ ...server, dataDir })
  await server.stop()
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
