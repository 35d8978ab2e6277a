import { inject } from 'vitest'
import { makeInstallation, testText } from './installation.ts'
import { opensDatabase } from './opens-database.ts'
import { useSettings } from './settings.ts'
import { copyTemplate } from './template.ts'

// Runs before a test file imports anything of the product: each file is an installation of its own.
const folder = makeInstallation()
if (opensDatabase(testText())) copyTemplate(inject('template'), folder)
useSettings({ DATA_DIR: folder })
