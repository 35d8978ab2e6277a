import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, inject } from 'vitest'
import { opensDatabase } from './opens-database.ts'
import { useSettings } from './settings.ts'
import { copyTemplate } from './template.ts'

// Runs before a test file imports anything of the product: each file is an installation of its own.
const needsDatabase = opensDatabase(readFileSync(expect.getState().testPath ?? '', 'utf8'))
const folder = needsDatabase ? copyTemplate(inject('template')) : mkdtempSync(path.join(tmpdir(), 'winnow-test-'))
useSettings({ DATA_DIR: folder })

afterAll(() => rmSync(folder, { recursive: true, force: true }))
