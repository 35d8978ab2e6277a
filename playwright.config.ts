import { defineConfig } from '@playwright/test'
import { findTestBrowser } from '#test/e2e/chromium.ts'
import { atLength, isFullLength } from '#test/length.ts'
import { hasMoto } from '#test/moto.ts'
import { useMemoryForTemporaryFiles } from '#test/temporary-folder.ts'

useMemoryForTemporaryFiles()

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.e2e.ts',
  testIgnore: hasMoto() ? [] : ['backup-bucket.e2e.ts'],
  grepInvert: isFullLength ? [] : new RegExp(atLength.tag),
  globalSetup: './test/e2e/template.ts',
  fullyParallel: true,
  // One more than a small machine has processors, because tests also wait: for pages, emails and the network.
  workers: 3,
  timeout: 120_000,
  // Many tests that wait for the same broken thing end the run before CI stops it without a report.
  globalTimeout: 55 * 60_000,
  // A browser on a machine that is busy can miss its moment; who needs the second try is named in the table at the end.
  retries: 1,
  outputDir: 'test-results',
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: findTestBrowser(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // The shell alone would round each letter to whole pixels, as no browser with a window does: lines would break elsewhere.
        '--font-render-hinting=none',
      ],
    },
    locale: 'en-US',
    timezoneId: 'UTC',
    // An action that cannot happen fails then, and does not use up the time of its test.
    actionTimeout: 40_000,
    trace: 'on-first-retry',
  },
})
