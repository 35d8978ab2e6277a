import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, vi } from 'vitest'
import { needsOwnModules } from './needs.ts'
import { workerFolder } from './template.ts'

/** The text of the next test file. */
export const testText = () => readFileSync(expect.getState().testPath ?? '', 'utf8')

/**
 * An empty folder for the installation of the test file that is about to run. Files that follow each other in one worker share its name and what has been
 * loaded, apart from those that start the product under settings of their own, which are read once.
 */
export function makeInstallation(): string {
  afterAll(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  return needsOwnModules(testText()) ? makeOwn() : emptyShared()
}

/** A new folder name for each file: anything that the previous file left running would still write to its folder by name. */
function makeOwn(): string {
  vi.resetModules()
  for (const former of globSync(`${workerFolder()}{,-*}`)) rmSync(former, { recursive: true, force: true })
  return mkdtempSync(`${workerFolder()}-`)
}

function emptyShared(): string {
  const folder = workerFolder()
  mkdirSync(folder, { recursive: true })
  // The shared modules have read its keys by now.
  for (const name of readdirSync(folder)) if (name !== 'keys') rmSync(path.join(folder, name), { recursive: true })
  return folder
}
