import { inject } from 'vitest'
import { makeInstallation, needsOwnEngine, testText } from './installation.ts'
import { opensDatabase } from './opens-database.ts'
import { useSettings } from './settings.ts'
import { copyTemplate } from './template.ts'

// Runs before a test file imports anything of the product that reads settings: each file is an installation of its own.
const text = testText()
const isKept = await emptyEngine()
// The folder of its major version, which no module of the product may be loaded for yet.
const folder = makeInstallation(...(isKept ? ['pg18'] : []))
globalThis.keepsEngineOf = needsOwnEngine(text) ? undefined : folder
if (opensDatabase(text) && !isKept) copyTemplate(inject('template'), folder)
useSettings({ DATA_DIR: folder })
// Only now: a file that has modules of its own begins with new ones.
const { makePasswordsCheap } = await import('./password-cost.ts')
makePasswordsCheap()

/** Whether the engine of the file before can go on. What cannot be emptied is ended, and so is what stands in the way. */
async function emptyEngine(): Promise<boolean> {
  const engine = globalThis.keptEngine
  if (!engine) return false
  if (!needsOwnEngine(text) && (!opensDatabase(text) || (await engine.empty().catch(() => false)))) return true
  await engine.end()
  return false
}
