import { inject } from 'vitest'
import { makeInstallation, testText } from './installation.ts'
import { needsOwnEngine, opensDatabase } from './needs.ts'
import { useSettings } from './settings.ts'
import { copyTemplate } from './template.ts'

// Runs before a test file imports anything of the product that reads settings: each file is an installation of its own.
const text = testText()
const engine = await emptyEngine()
const folder = makeInstallation(...(engine ? [engine.folderName] : []))
globalThis.keepsEngineOf = needsOwnEngine(text) ? undefined : folder
if (opensDatabase(text) && !engine) copyTemplate(inject('template'), folder)
useSettings({ DATA_DIR: folder })
// Only now: a file that has modules of its own begins with new ones.
const { makePasswordsCheap } = await import('./password-cost.ts')
makePasswordsCheap()

/** The engine of the previous file, if it is reusable. Closes an engine that cannot be emptied, or that this file may not share. */
async function emptyEngine() {
  const kept = globalThis.keptEngine
  if (!kept) return undefined
  if (!needsOwnEngine(text) && (!opensDatabase(text) || (await kept.empty().catch(() => false)))) return kept
  await kept.end()
  return undefined
}
