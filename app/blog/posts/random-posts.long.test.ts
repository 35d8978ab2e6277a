import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { livePosts } from '#test/post-world.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

test('across random actions, readers see only published changes and no version is lost', async () => {
  const seed = Math.floor(Math.random() * 1e9)
  const { done, mistakes, revisions } = await livePosts(seed, 200)
  expect({ seed, mistakes }).toEqual({ seed, mistakes: [] })
  // The random run has covered the important actions.
  expect(Object.keys(done)).toEqual(expect.arrayContaining(['create', 'save', 'autosave', 'restore']))
  expect(revisions).toBeGreaterThan(20)
})
