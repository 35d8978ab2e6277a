import { chromium } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installByApt } from '#test/postgres.ts'

/** Where a browser lies: the one that is named, Debian's, or Playwright's own; installed when there is none. */
export function findChromium(): string {
  const known = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', chromium.executablePath()]
  const find = () => known.find((place) => place && existsSync(place))
  // The faces that stand in until ours arrive are measured against these.
  if (!find()) installByApt('chromium', 'fonts-liberation')
  if (!find()) execFileSync('playwright', ['install', 'chromium'], { stdio: 'inherit' })
  const found = find()
  if (!found) throw new Error('The browser tests need Chromium: install it, or name one in CHROMIUM_PATH.')
  return found
}
