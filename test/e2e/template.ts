import { chromium, type FullConfig } from '@playwright/test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findTestBrowser, installTestBrowser } from './chromium.ts'
import { startServer } from './server.ts'
import { becomeOwner, confirmHours, signOut, waitForPosts, waitForShelf } from './steps.ts'

/** PGlite's code is compiled once and quickly: a test server ends before optimized code would pay off. */
const FLAGS = '--liftoff-only'

/** A first start creates the database, for which a busy machine takes more than a minute. */
const PATIENCE = 180_000

/**
 * Once for all browser tests: an installation after its first start, with its first posts and datasets, and the same again with an owner, who signed up as anyone
 * does and has confirmed their hours for calls. They are copied. A test reads what the first start said.
 */
export default async function makeTemplates({ projects: [project] }: FullConfig) {
  installTestBrowser()
  const folder = mkdtempSync(path.join(tmpdir(), 'winnow-e2e-'))
  const [template, owned] = [path.join(folder, 'new'), path.join(folder, 'owned')]
  Object.assign(process.env, { E2E_TEMPLATE: template, E2E_OWNED_TEMPLATE: owned, E2E_NODE_FLAGS: FLAGS })
  const server = await startServer({ DATA_DIR: template }, undefined, PATIENCE)
  try {
    // Each copy would create them again.
    await waitForPosts(server.url)
    await waitForShelf(server.url)
  } finally {
    await server.stop()
  }
  process.env.E2E_FIRST_OUTPUT = server.output()
  cpSync(template, owned, { recursive: true })
  await makeOwner(owned, project?.use.launchOptions)
  return () => rmSync(folder, { recursive: true, force: true })
}

async function makeOwner(dataDir: string, options: Parameters<typeof chromium.launch>[0]) {
  const server = await startServer({ DATA_DIR: dataDir })
  try {
    const browser = await chromium.launch({ ...options, executablePath: findTestBrowser() })
    const page = await browser.newPage({ baseURL: server.url })
    await becomeOwner(page)
    await confirmHours(page)
    await signOut(page)
    await browser.close()
  } finally {
    await server.stop()
  }
}
