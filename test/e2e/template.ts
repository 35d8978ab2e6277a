import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startServer } from './server.ts'
import { waitForPosts, waitForShelf } from './steps.ts'

/** Once for all browser tests: an installation after its first start, with its first posts and datasets, to be copied. */
export default async function makeTemplate() {
  const template = mkdtempSync(path.join(tmpdir(), 'winnow-e2e-'))
  process.env.E2E_TEMPLATE = template
  const server = await startServer({ DATA_DIR: template })
  // Each copy would make them again.
  await waitForPosts(server.url)
  await waitForShelf(server.url)
  await server.stop()
  return () => rmSync(template, { recursive: true, force: true })
}
