import { test as base } from '@playwright/test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Server, startServer } from './server.ts'

export { expect } from '@playwright/test'

type Options = {
  /** Settings of the server beyond the defaults. */
  settings: Record<string, string>
}

type Site = Server & { dataDir: string }

/** A test in a browser, with an installation of its own that has just been started for the first time. */
export const test = base.extend<Options & { site: Site }>({
  settings: [{}, { option: true }],
  site: async ({ settings }, use, info) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-site-'))
    cpSync(process.env.E2E_TEMPLATE ?? '', dataDir, { recursive: true })
    const server = await startServer({ DATA_DIR: dataDir, ...settings })
    await use({ ...server, dataDir })
    await server.stop()
    if (info.status !== info.expectedStatus) await info.attach('server output', { body: server.output(), contentType: 'text/plain' })
    rmSync(dataDir, { recursive: true, force: true })
  },
  baseURL: async ({ site }, use) => use(site.url),
})
