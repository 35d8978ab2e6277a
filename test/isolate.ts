import { inject } from 'vitest'
import { makeInstallation, testText } from './installation.ts'
import { opensDatabase } from './needs.ts'
import { useSettings } from './settings.ts'
import { copyTemplate } from './template.ts'

// Runs before a test file imports anything of the product that reads settings: each file is an installation of its own.
const folder = makeInstallation()
if (opensDatabase(testText())) copyTemplate(inject('template'), folder)
useSettings({ DATA_DIR: folder })
// Only now: a file that has modules of its own begins with new ones.
const { makePasswordsCheap } = await import('./password-cost.ts')
makePasswordsCheap()
