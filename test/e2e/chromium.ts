import { chromium } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installByApt } from '#test/postgres.ts'

const SHELL = '/usr/bin/chromium-headless-shell'

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

/**
 * The browser of the tests: Chromium without its window, which draws the same pages with less than half of the processor time. The configured
 * browser comes first, and the whole Chromium where Debian's shell can be neither found nor installed.
 */
export function findTestBrowser(): string {
  if (process.env.CHROMIUM_PATH) return findChromium()
  if (!existsSync(SHELL)) installShell()
  const found = existsSync(SHELL) ? SHELL : findChromium()
  // Each worker of Playwright reads the configuration anew.
  process.env.CHROMIUM_PATH = found
  return found
}

function installShell() {
  try {
    installByApt('chromium-headless-shell', 'fonts-liberation')
  } catch {
    process.stderr.write('chromium-headless-shell cannot be installed: the tests take the whole browser.\n')
  }
}
