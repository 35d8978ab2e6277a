import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/database/open.server.ts'
import { livePosts } from '#test/post-world.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

test('whatever is done to posts, readers get something else only when it is published or taken away, and no version is lost', async () => {
  const seed = Math.floor(Math.random() * 1e9)
  const { done, mistakes, revisions } = await livePosts(seed, 200)
  expect({ seed, mistakes }).toEqual({ seed, mistakes: [] })
  // Chance has left nothing out that matters.
  expect(Object.keys(done)).toEqual(expect.arrayContaining(['create', 'save', 'autosave', 'restore']))
  expect(revisions).toBeGreaterThan(20)
})
