import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { createPost } from '#app/blog/posts/post.server.ts'
import { hasLeads, seed } from './seed.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

test('the seed is three months of a small company, with unreachable addresses', async () => {
  const now = new Date()
  expect(await hasLeads()).toBe(false)
  expect(await seed(createPost, now)).toEqual({ leads: 60, consultations: 12, posts: 13 })
  expect(await hasLeads()).toBe(true)

  const contacts = await db.selectFrom('contacts').selectAll().orderBy('createdAt').execute()
  expect(contacts).toHaveLength(60)
  expect(contacts.every(({ email }) => email.endsWith('.example'))).toBe(true)
  expect(contacts.every(({ createdAt }) => createdAt <= now && createdAt.getTime() > now.getTime() - 91 * 24 * 60 * 60 * 1000)).toBe(true)
  expect(new Set(contacts.map(({ serviceType }) => serviceType)).size).toBeGreaterThan(6)
  expect(contacts.filter(({ answeredAt }) => answeredAt === null)).toHaveLength(4)

  const members = await db
    .selectFrom('organizationMembers')
    .innerJoin('organizations', 'organizations.id', 'organizationId')
    .select('name')
    .where('isPersonal', '=', false)
    .execute()
  expect(members.map(({ name }) => name).toSorted()).toEqual([...Array(3).fill('Brandt Elektro'), ...Array(3).fill('Okafor Homes')])
  const theirs = await db.selectFrom('people').select('id').where('organizationId', 'is not', null).execute()
  expect(theirs.length).toBeGreaterThan(0)

  const consultations = await db.selectFrom('consultations').selectAll().execute()
  expect(consultations.filter(({ contactId }) => contactId)).toHaveLength(9)
  expect(await db.selectFrom('jobs').where('kind', '=', 'letter').select('id').execute()).toEqual([])

  const posts = await db.selectFrom('posts').selectAll().execute()
  expect(posts.filter(({ published, publishedAt }) => published && publishedAt && publishedAt <= now)).toHaveLength(11)
  expect(posts.filter(({ published, publishedAt }) => published && publishedAt && publishedAt > now)).toHaveLength(1)
  expect(new Set(posts.map(({ html }) => html)).size).toBe(13)
  expect((await seed(createPost, now)).posts).toBe(0)
})
