import { chromium } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installByApt } from '#test/postgres.ts'

/** Chromium without its window, which draws the same pages with less than half of the processor time. */
const SHELL = '/usr/bin/chromium-headless-shell'
const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', chromium.executablePath()]

/** The configured browser, Debian's, or Playwright's own; without any, Playwright says how to install its own. */
export function findTestBrowser(): string | undefined {
  return [process.env.CHROMIUM_PATH, SHELL, ...WHOLE].find((place) => place && existsSync(place))
}

/** Installs the shell if it can, else a whole browser if there is none. */
export function installTestBrowser() {
  if (process.env.CHROMIUM_PATH || existsSync(SHELL)) return
  try {
    installByApt('chromium-headless-shell', 'fonts-liberation')
  } catch {
    process.stderr.write('chromium-headless-shell cannot be installed: the tests take the whole browser.\n')
  }
  if (!findTestBrowser()) findChromium()
}

/** A whole browser, as measurements need it; installs one if missing. */
export function findChromium(): string {
  const find = () => [process.env.CHROMIUM_PATH, ...WHOLE].find((place) => place && existsSync(place))
  // The metrics of the fallback fonts refer to these.
  if (!find()) installByApt('chromium', 'fonts-liberation')
  if (!find()) execFileSync('playwright', ['install', 'chromium'], { stdio: 'inherit' })
  const found = find()
  if (!found) throw new Error('The browser tests need Chromium: install it, or name one in CHROMIUM_PATH.')
  return found
}
