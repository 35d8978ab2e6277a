import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, vi } from 'vitest'
import { workerFolder } from './template.ts'

/** The text of the next test file. */
export const testText = () => readFileSync(expect.getState().testPath ?? '', 'utf8')

/**
 * An empty folder for the installation of the test file that is about to run. Files that follow each other in one worker share its name and what has been
 * loaded, apart from those that start the product under settings of their own, which are read once.
 */
export function makeInstallation(...keep: string[]): string {
  const folder = workerFolder()
  mkdirSync(folder, { recursive: true })
  const isAlone = needsOwnModules(testText())
  if (isAlone) vi.resetModules()
  // The shared modules have read its keys by now.
  const kept = new Set(isAlone ? keep : ['keys', ...keep])
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(path.join(folder, name), { recursive: true })
  afterAll(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    if (!isAlone) return
    vi.resetModules()
    rmSync(path.join(folder, 'keys'), { recursive: true, force: true })
  })
  return folder
}

/** Whether a test file, by its text, changes settings or mocks a module. */
function needsOwnModules(text: string): boolean {
  return /\bprocess\.env\b|\b(use|with)Settings\b|#test\/hosted\.ts|\bvi\.(mock|resetModules|stubGlobal|stubEnv)\b/.test(text)
}

/** Whether a test file, by its text, looks at the files of its database, or lets other processes do so: then nothing may hold them open. */
export function needsOwnEngine(text: string): boolean {
  return /\b(DATA_DIR|dataDir|openEmbedded|spawn\w*|fork|execFile\w*|startServer|pglite)\b|#test\/hosted\.ts/.test(text)
}
