import { chromium } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installByApt } from '#test/postgres.ts'

/** The path of a browser: the configured one, Debian's, or Playwright's own; installs one if missing. */
export function findChromium(): string {
  const known = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', chromium.executablePath()]
  const find = () => known.find((place) => place && existsSync(place))
  // The metrics of the fallback fonts refer to these.
  if (!find()) installByApt('chromium', 'fonts-liberation')
  if (!find()) execFileSync('playwright', ['install', 'chromium'], { stdio: 'inherit' })
  const found = find()
  if (!found) throw new Error('The browser tests need Chromium: install it, or name one in CHROMIUM_PATH.')
  return found
}
