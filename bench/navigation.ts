// The time from a click in the sidebar until the content of the next page is there, with its code and data in the caches: the 95th percentile over all pages of the workspace, in five rounds.
import { chromium, type Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findChromium } from '#test/e2e/chromium.ts'
import { startServer } from '#test/e2e/server.ts'
import { printFigures } from './figures.ts'
import { ownerForm, signUpOwner } from './owner.ts'
import { settledMap, untilIdle } from './settled.ts'

const ROUNDS = 5
/** In milliseconds. */
const BAR = 200
const QUANTILE = 0.95

const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-navigation-'))
const server = await startServer({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
await settledMap(server.url)
await signUpOwner(server.url)
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] })
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
await context.request.post(`${server.url}/login`, ownerForm)
const page = await context.newPage()
await page.goto(`${server.url}/`)
await page.getByRole('heading', { name: 'Last 24 hours' }).waitFor()
await untilIdle(server.pid ?? 0)

const places = await page.getByRole('navigation', { name: 'Main' }).locator('ul[aria-label] a, ul:first-child a').evaluateAll(inWorkspace)
const times = new Map<string, number[]>(places.map((place) => [place, []]))
// The first round fills the caches.
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const place of places) {
    const time = await follow(page, place)
    if (round > 0) times.get(place)?.push(time)
  }
}
await browser.close()
await server.stop()
rmSync(dataDir, { recursive: true, force: true })

const quantile = (numbers: number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.ceil(numbers.length * QUANTILE) - 1] ?? Number.NaN
const all = quantile([...times.values()].flat())
const isMet = printFigures([
  ...[...times].map(([place, found]) => ({ what: `${place}, slowest of ${ROUNDS}, milliseconds`, found: Math.max(...found).toFixed(0) })),
  { what: 'all pages, 95th percentile, milliseconds', found: all.toFixed(0), bar: `at most ${BAR}`, ok: all <= BAR },
])
process.exitCode = isMet ? 0 : 1

/** Runs in the browser: the paths of the links, without those of the public site. */
function inWorkspace(links: (HTMLElement | SVGElement)[]): string[] {
  const paths = links.flatMap((link) => (link instanceof HTMLAnchorElement ? [link.pathname] : []))
  return paths.filter((path) => /^\/($|dashboard|notifications|data-marketplace|admin\/)/.test(path))
}

/** Clicks, and returns the milliseconds until the next page has its heading and nothing says that it loads. */
async function follow(tab: Page, place: string): Promise<number> {
  if (new URL(tab.url()).pathname === place) return 0
  return tab.evaluate(
    (goal) =>
      new Promise<number>((resolve, reject) => {
        const link = [...document.querySelectorAll<HTMLAnchorElement>('nav[aria-label=Main] a')].find(({ pathname }) => pathname === goal)
        if (!link) return reject(new Error(`There is no link to ${goal}.`))
        const begun = performance.now()
        const end = setTimeout(() => reject(new Error(`${goal} did not appear.`)), 20_000)
        const look = () => {
          const main = document.querySelector('main')
          const isThere = location.pathname === goal && main?.querySelector('h1') && !main.querySelector('.animate-spin, .animate-pulse')
          if (!isThere) return void requestAnimationFrame(look)
          clearTimeout(end)
          resolve(performance.now() - begun)
        }
        link.click()
        look()
      }),
    place,
  )
}
