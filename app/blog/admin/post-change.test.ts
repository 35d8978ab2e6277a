import { expect, test } from 'vitest'
import { listedPost, type PostPage } from '#app/blog/posts/post-query.ts'
import { doneText, withChange } from './post-change.ts'

const moment = '2026-03-01T09:00:00.000Z'
const post = (id: string, given: object = {}) =>
  listedPost.parse({
    id,
    slug: id,
    title: id,
    excerpt: '',
    tags: ['law'],
    featuredImage: null,
    featuredImageAlt: null,
    metaTitle: null,
    metaDescription: null,
    published: false,
    publishedAt: null,
    authorId: 'a',
    words: 1,
    readingMinutes: 1,
    version: 1,
    hasDraft: false,
    createdAt: moment,
    updatedAt: moment,
    ...given,
  })
const page: PostPage = {
  items: [post('draft'), post('live', { published: true, publishedAt: moment }), post('begun', { version: 0 })],
  total: 43,
  page: 1,
  pages: 3,
}
const all = new Set(['draft', 'live', 'begun'])
const shown = ({ items, total }: PostPage) => [total, ...items.map(({ id, published, tags }) => [id, published, tags.join()])]

test('the list shows a change before the server has answered; a post that was never saved can only be deleted', () => {
  expect(shown(withChange(page, all, { change: 'publish' }))).toEqual([
    43,
    ['draft', true, 'law'],
    ['live', true, 'law'],
    ['begun', false, 'law'],
  ])
  expect(withChange(page, all, { change: 'publish' }).items[1]?.publishedAt).toBe(moment)
  expect(shown(withChange(page, new Set(['live']), { change: 'unpublish' }))[2]).toEqual(['live', false, 'law'])
  expect(shown(withChange(page, all, { change: 'tag', tag: 'new' })).slice(2)).toEqual([
    ['live', true, 'law,new'],
    ['begun', false, 'law'],
  ])
  expect(shown(withChange(page, new Set(['draft']), { change: 'untag', tag: 'law' }))[1]).toEqual(['draft', false, ''])
  expect(shown(withChange(page, new Set(['draft', 'begun']), { change: 'delete' }))).toEqual([41, ['live', true, 'law']])
})

test('the toast counts what has changed, and says what is scheduled', () => {
  expect(doneText({ change: 'publish' }, 0, 0)).toBe('Nothing to change: it already is like that')
  expect([doneText({ change: 'publish' }, 1, 0), doneText({ change: 'publish' }, 2, 2), doneText({ change: 'publish' }, 3, 1)]).toEqual([
    '1 post published',
    '2 posts scheduled',
    '2 posts published, 1 scheduled',
  ])
  expect([doneText({ change: 'delete' }, 1, 0), doneText({ change: 'delete' }, 2, 0)]).toEqual([
    'Blog post deleted successfully',
    '2 posts deleted',
  ])
  expect(doneText({ change: 'untag', tag: 'law' }, 2, 0)).toBe('Tag law removed from 2 posts')
})
