import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startApp } from '#test/app.ts'
import { makeHost, signIn } from '#test/factories.ts'
import { readPage } from '#test/read-page.ts'
import type { PageMeta } from './page-meta.ts'
import { heads } from './seo.ts'

const app = await startApp()

/** Each page's day, with a hash of its text on that day. */
const file = path.join(import.meta.dirname, 'changed-days.json')
const marks = z.record(z.string(), z.object({ changed: z.string(), words: z.string() }))

test('a page with changed text has a new day in the sitemap', async () => {
  // Free times are no text of a page, and differ each day.
  const { user } = await signIn('owner')
  await makeHost({ userId: user.id, isActive: false })
  const now: z.infer<typeof marks> = {}
  for (const [url, { changed }] of Object.entries<PageMeta>(heads)) {
    if (!changed) continue
    const { text } = await readPage(app, url)
    now[url] = { changed, words: createHash('sha256').update(text).digest('hex').slice(0, 16) }
  }
  if (process.env['RECORD']) writeFileSync(file, `${JSON.stringify(now, undefined, 2)}\n`)
  const recorded = marks.parse(JSON.parse(readFileSync(file, 'utf8')))
  expect(now, 'Set the day of each page that differs in seo.ts to today, then run this file once with RECORD=1').toEqual(recorded)
})
