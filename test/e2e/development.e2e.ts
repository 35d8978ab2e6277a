import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { atLength, isFullLength } from '#test/length.ts'
import { freePort } from '#test/postgres.ts'
import { bareTest, expect } from './fixtures.ts'

type Checkout = {
  url: string
  process: ChildProcess
  /** The text of the terminal so far. */
  output: () => string
  /** Megabytes of the heap after a collection. */
  heap: () => Promise<number>
  change: (file: string, before: string, after: string) => void
  end: () => Promise<void>
}

const sources = ['app', 'db', 'public', 'scripts', 'test/factories.ts', 'package.json', 'vite.config.ts', 'react-router.config.ts']

/** Lets a signal collect garbage. */
const COLLECT = `--import=${pathToFileURL(path.resolve('test/e2e/collect-garbage.mjs')).href}`

/** The source in a separate folder with the packages installed here; Vite's cache is in that folder too. */
function copySource(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'winnow-development-'))
  for (const place of sources) cpSync(place, path.join(folder, place), { recursive: true })
  mkdirSync(path.join(folder, 'node_modules'))
  for (const name of readdirSync('node_modules').filter((entry) => !entry.startsWith('.'))) {
    symlinkSync(path.resolve('node_modules', name), path.join(folder, 'node_modules', name))
  }
  cpSync(process.env.E2E_TEMPLATE ?? '', path.join(folder, 'data'), { recursive: true })
  return folder
}

/** A start of the whole source takes up to a minute or two on a machine that is busy with other tests, and so does the answer that waits for it. */
const aStart = { timeout: 150_000 }

let started: Checkout | undefined

/** One process of development serves all tests, one after the other. */
const test = bareTest.extend<{ checkout: Checkout }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from here which other fixtures are needed.
  checkout: async ({}, use, info) => {
    started ??= await startDevelopment()
    await use(started)
    if (info.status !== info.expectedStatus) await info.attach('server output', { body: started.output(), contentType: 'text/plain' })
  },
})
test.describe.configure({ mode: 'default', timeout: 480_000 })
test.afterAll(async () => started?.end())

async function startDevelopment(): Promise<Checkout> {
  const folder = copySource()
  const port = await freePort()
  const env = { PATH: process.env.PATH, NODE_ENV: 'development', PORT: String(port) }
  const child = spawn(process.execPath, [COLLECT, 'scripts/dev.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const end = async () => {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await expect.poll(() => output, aStart).toContain(' is ready at ')
  } catch (error) {
    await end()
    throw error
  }
  return {
    url: `http://localhost:${port}`,
    process: child,
    output: () => output,
    async heap() {
      child.kill('SIGUSR2')
      const metrics = await (await fetch(`http://localhost:${port}/metrics`)).text()
      return Number(/^nodejs_heap_size_used_bytes (\d+)/m.exec(metrics)?.[1]) / 2 ** 20
    },
    change(file, before, after) {
      const place = path.join(folder, file)
      const text = readFileSync(place, 'utf8')
      expect(text).toContain(before)
      writeFileSync(place, text.replace(before, after))
    },
    end,
  }
}

/** How often the product has said that it is ready. */
const startsIn = (output: string) => output.split(' is ready at ').length - 1

test('in development, a saved change is in the next answer: of a page in the same process, of an endpoint after a start', async ({
  checkout,
}) => {
  const starts = startsIn(checkout.output())
  const answers = async (path: string) => (await fetch(`${checkout.url}${path}`)).text()
  expect(await answers('/about')).toContain('Values')
  checkout.change('app/site/shell/about.page.tsx', 'Values\n        </h2>', 'What counts here</h2>')
  await expect.poll(() => answers('/about'), aStart).toContain('What counts here')
  expect(startsIn(checkout.output())).toBe(starts)
  checkout.change('app/site/shell/about.page.tsx', 'What counts here</h2>', 'Values\n        </h2>')

  checkout.change('app/platform/http/health.api.ts', "'alive'", "'well'")
  await expect.poll(() => answers('/healthz'), aStart).toBe('{"status":"well"}')
  expect(checkout.process.exitCode).toBeNull()
  expect(startsIn(checkout.output())).toBe(starts + 1)
  // The tests at full length go on from the code as it was.
  if (!isFullLength) return
  checkout.change('app/platform/http/health.api.ts', "'well'", "'alive'")
  await expect.poll(() => startsIn(checkout.output()), aStart).toBe(starts + 2)
})

test(
  'in development, a saved change appears immediately: in a live page without losing typed text, in a public one after a reload',
  atLength,
  async ({ page, checkout }) => {
    const starts = startsIn(checkout.output())
    await page.goto(`${checkout.url}/login?mode=sign-in`)
    // The first page of a new checkout prepares the packages for the browser, and may reload for that.
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Email').fill('ada@example.com')
    checkout.change('app/account/sign-in/sign-in-form.tsx', 'Forgot password?', 'Lost your password?')
    await expect(page.getByRole('link', { name: 'Lost your password?' })).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
    checkout.change('app/account/sign-in/sign-in-form.tsx', 'Lost your password?', 'Forgot password?')
    await expect(page.getByRole('link', { name: 'Forgot password?' })).toBeVisible()

    await page.goto(`${checkout.url}/about`)
    await expect(page.getByRole('heading', { name: 'Values', exact: true })).toBeAttached()
    await page.waitForLoadState('networkidle')
    checkout.change('app/site/shell/about.page.tsx', 'Values\n        </h2>', 'What counts here</h2>')
    await expect(page.getByRole('heading', { name: 'What counts here', exact: true })).toBeAttached()
    checkout.change('app/site/shell/about.page.tsx', 'What counts here</h2>', 'Values\n        </h2>')
    await expect(page.getByRole('heading', { name: 'Values', exact: true })).toBeAttached()
    expect(startsIn(checkout.output())).toBe(starts)
  },
)

test(
  'in development, a syntax error is shown in the terminal and over the page until it is corrected',
  atLength,
  async ({ page, checkout }) => {
    const starts = startsIn(checkout.output())
    for (const { url, file, sound, broken, shown } of [
      {
        url: '/about',
        file: 'app/site/shell/about.page.tsx',
        sound: 'export default function',
        broken: 'export default functio n',
        shown: 'Values',
      },
      {
        url: '/login?mode=sign-in',
        file: 'app/account/sign-in/sign-in-form.tsx',
        sound: 'export function',
        broken: 'export functio n',
        shown: 'Forgot password?',
      },
    ]) {
      await page.goto(`${checkout.url}${url}`)
      await page.waitForLoadState('networkidle')
      checkout.change(file, sound, broken)
      await expect(page.locator('vite-error-overlay')).toContainText(path.basename(file))
      await expect.poll(checkout.output).toContain(file)
      checkout.change(file, broken, sound)
      await expect(page.locator('vite-error-overlay')).toHaveCount(0)
      await expect(page.getByText(shown).first()).toBeAttached()
    }
    expect(startsIn(checkout.output())).toBe(starts)
  },
)

/** After the first ones, which fill what is kept for good. */
const EDITS = 30

test('in development, the process keeps nothing of many edits', atLength, async ({ checkout }) => {
  test.setTimeout(300_000)
  const starts = startsIn(checkout.output())
  const edit = async (from: number, to: number) => {
    for (let number = from; number < to; number += 1) {
      const [before, after] = [number ? `Values ${number}` : 'Values', `Values ${number + 1}`]
      checkout.change('app/site/shell/about.page.tsx', `${before}\n`, `${after}\n`)
      await expect.poll(async () => (await fetch(`${checkout.url}/about`)).text()).toContain(after)
    }
  }
  await edit(0, 5)
  const before = await checkout.heap()
  await edit(5, 5 + EDITS)
  expect((await checkout.heap()) - before).toBeLessThan((EDITS * 2) / 3)
  expect(checkout.output()).not.toContain('MaxListenersExceededWarning')
  expect(startsIn(checkout.output())).toBe(starts)
})
