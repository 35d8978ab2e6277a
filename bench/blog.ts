// The blog with 5,000 posts (POSTS), on both engines: the uncached listing, and a search.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { RENDERING } from '#app/blog/markdown/markdown.server.ts'
import { startPostgres } from '#test/postgres.ts'
import { type Engine, onEmbedded, onPostgres, type Run } from './engine.ts'
import { printFigures } from './figures.ts'
import { end, serve, untilFirstDatasets } from './serve.ts'
import { untilIdle } from './settled.ts'

const POSTS = Number(process.env['POSTS'] ?? 5_000)
const ROUNDS = Number(process.env['ROUNDS'] ?? 40)
const base = 'http://127.0.0.1:4660'
const LIST_BAR_MS = 40
const SEARCH_BAR_MS = 100

/** An unknown query parameter bypasses the page cache, so each of these is rendered. */
const lists = ['/blog?fresh=1', '/blog?page=200&fresh=1', '/blog?tag=topic-3&fresh=1']
const searches = ['/blog?q=morning', '/blog?q=zeppelin+4711', '/blog?q=ra', '/blog?q=nothing-like-this']

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-blog-'))
const postgres = await startPostgres({ durable: true })
try {
  const passed = [
    await measure(onPostgres(postgres.url, path.join(folder, 'postgres'))),
    await measure(onEmbedded(path.join(folder, 'embedded'))),
  ]
  process.exitCode = passed.every(Boolean) ? 0 : 1
} finally {
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(engine: Engine): Promise<boolean> {
  await end(await serve(base, engine.env))
  await engine.ask(fillPosts)
  const server = await serve(base, engine.env)
  try {
    // A new installation makes its first datasets beside the first pages.
    await untilFirstDatasets(base)
    await untilIdle(server.pid ?? 0)
    const listed = await measureAll(lists)
    const searched = await measureAll(searches)
    return printFigures([
      ...Object.entries(listed).map(([url, p95]) => figure(`${engine.name} ${url}`, p95, LIST_BAR_MS)),
      ...Object.entries(searched).map(([url, p95]) => figure(`${engine.name} ${url}`, p95, SEARCH_BAR_MS)),
    ])
  } finally {
    await end(server)
  }
}

function figure(what: string, p95: number, bar: number) {
  return { what: `${what}, p95`, found: `${p95.toFixed(1)} ms`, bar: `at most ${bar} ms`, ok: p95 <= bar }
}

/** Texts of some 4 kB, with common words and one unique word each, in the present rendering: the server would render any other again. */
async function fillPosts(run: Run): Promise<void> {
  await run(`INSERT INTO posts (id, slug, title, excerpt, content, tags, published, was_public, published_at, author_id, html, words, rendering)
    SELECT gen_random_uuid(), 'post-' || n, 'Reading difficult sites, part ' || n, 'What part ' || n || ' is about: every morning, before the shops open.',
      repeat('Prices are read every morning, rows are checked, and what is odd is held back. ', 48) || 'zeppelin ' || n,
      ARRAY['topic-' || n % 7, 'topic-' || n % 11, 'practice'], true, true, now() - n * interval '5 hours', gen_random_uuid(), '<p>Text</p>', 700, ${RENDERING}
    FROM generate_series(1, ${POSTS}) AS n`)
  await run('VACUUM ANALYZE posts')
}

async function measureAll(urls: readonly string[]): Promise<Record<string, number>> {
  const times: Record<string, number[]> = {}
  // The cases alternate, so that changes of the machine's speed affect all of them.
  for (let round = -3; round < ROUNDS; round += 1) {
    for (const url of urls) {
      const began = performance.now()
      const reply = await fetch(base + url)
      await reply.text()
      if (reply.status !== 200) throw new Error(`${url}: ${reply.status}`)
      if (round >= 0) (times[url] ??= []).push(performance.now() - began)
    }
  }
  return Object.fromEntries(Object.entries(times).map(([url, taken]) => [url, at95(taken)]))
}

function at95(times: number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN
}
