import { describe, expect, test } from 'vitest'
import {
  fromClock,
  toClock,
  errorsOf,
  postFields,
  isSamePost,
  editPost,
  stateOf,
  toBody,
  changePostField,
  type PostEdit,
} from './post-fields.ts'

const typed = (...changes: Parameters<typeof changePostField>[1][]) => changes.reduce<PostEdit>(changePostField, editPost())
const slugAfter = (...changes: Parameters<typeof changePostField>[1][]) => typed(...changes).fields.slug

describe('the address of a new post', () => {
  test.each([
    ['Is Web Scraping Legal?', 'is-web-scraping-legal'],
    ['  Prices --- and  cafés!  ', 'prices-and-cafes'],
    ['100% of <b>rows</b> & columns_2', '100-of-browsb-columns2'],
  ])('is made of the title %j', (title, slug) => expect(slugAfter({ title })).toBe(slug))

  test('follows the title until someone types it, and again once it is emptied', () => {
    expect(slugAfter({ title: 'One' }, { title: 'One two' })).toBe('one-two')
    expect(slugAfter({ title: 'One' }, { slug: 'mine' }, { title: 'Another' })).toBe('mine')
    expect(slugAfter({ title: 'One' }, { slug: 'mine' }, { slug: '' }, { title: 'Another' })).toBe('another')
  })

  test('stays where it was once readers could have kept it, whatever becomes of the title', () => {
    const post = { title: 'One', slug: 'one', content: 'x' }
    expect(changePostField(editPost(postFields(post), true), { title: 'Two' }).fields.slug).toBe('one')
    expect(changePostField(editPost(postFields(post), false), { title: 'Two' }).fields.slug).toBe('two')
    expect(changePostField(editPost(postFields({ ...post, slug: 'chosen' }), false), { title: 'Two' }).fields.slug).toBe('chosen')
  })
})

describe('the request body', () => {
  test('has its tags trimmed and without empty ones, and nothing where nothing was typed', () => {
    const { fields } = typed({ title: 'A', content: 'b', tags: ' prices , ,web scraping,, prices' })
    expect(toBody(fields)).toEqual({
      title: 'A',
      slug: 'a',
      content: 'b',
      excerpt: null,
      tags: ['prices', 'web scraping'],
      featuredImage: null,
      featuredImageAlt: null,
      metaTitle: null,
      metaDescription: null,
      published: false,
      publishedAt: null,
    })
  })

  test('is refused with a sentence at each field, a tag at the field of all tags', () => {
    const { fields } = typed({ featuredImage: 'javascript:alert(1)', tags: 'x'.repeat(41) })
    expect(errorsOf(fields)).toEqual({
      title: 'Title is required',
      slug: 'Slug is required',
      content: 'Content is required',
      tags: 'A tag must be at most 40 characters',
      featuredImage: 'Featured image must be an http(s) URL or an uploaded image',
    })
    expect(errorsOf({ ...fields, title: 'A', slug: 'a', content: 'b', tags: '', featuredImage: '/images/1/960.webp' })).toEqual({})
  })

  test('comes back into the form as it was', () => {
    const { fields } = typed({
      title: 'A',
      content: 'b',
      tags: 'c, d',
      metaTitle: 'e',
      published: true,
      publishedAt: '2026-11-22T10:00:00.000Z',
    })
    expect(postFields(toBody(fields))).toEqual(fields)
    expect(isSamePost(fields, { ...fields })).toBe(true)
    expect(isSamePost(fields, { ...fields, published: false })).toBe(false)
  })
})

test('a post is a draft, waits for its time, or is published', () => {
  const now = Date.parse('2026-11-22T10:00:00Z')
  const state = (published: boolean, publishedAt: string | null) => stateOf({ published, publishedAt }, now)
  expect(state(false, '2026-11-23T10:00:00Z')).toBe('draft')
  expect(state(true, '2026-11-22T10:00:01Z')).toBe('scheduled')
  expect(state(true, '2026-11-22T10:00:00Z')).toBe('published')
  expect(state(true, null)).toBe('published')
})

test('a moment is shown and meant on the clock of the writer, to the minute', () => {
  const moment = '2026-03-29T00:30:00.000Z'
  expect(fromClock(toClock(moment))).toBe(moment)
  expect(toClock('2026-11-22T10:05:59.999Z')).toMatch(/^2026-11-2[123]T\d\d:[0-5]\d$/)
  expect([toClock(''), toClock('soon'), fromClock(''), fromClock('2026-13-01T00:00')]).toEqual(['', '', '', ''])
})
