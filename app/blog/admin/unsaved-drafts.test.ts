import { describe, expect, test } from 'vitest'
import { isPostId, type Post } from '#app/blog/posts/post.ts'
import type { PostDraft } from '#app/blog/posts/draft.ts'
import { ApiError } from '#app/platform/browser/api.ts'
import { judgeFailure, newPostId } from './draft-requests.ts'
import { changePostField, editPost, type PostFields, unsavedPost } from './post-fields.ts'
import { unsavedVersionsOf } from './unsaved-versions.ts'

const typed = (title: string, tags = ''): PostFields => changePostField(editPost(), { title, tags }).fields
const draftOf = (title: string, version: number, baseVersion = 0): PostDraft => ({
  fields: { ...typed(title), tags: ['a', 'b'] },
  baseVersion,
  version,
  editorId: 'ada',
  editor: 'Ada',
  updatedAt: '2026-11-22T10:00:00.000Z',
})
const conflict = (current: PostDraft | null) =>
  new ApiError(409, 'conflict', {
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    detail: '',
    message: '',
    code: 'edit_conflict',
    current,
  })
const begun = unsavedPost('018f4d7a-0000-7000-8000-000000000000')
const saved: Post = { ...begun, version: 3, title: 'Prices', slug: 'prices', content: 'Words', published: true }
const copyOf = (title: string, versions: { baseVersion?: number; draftVersion?: number }) => ({ fields: typed(title), at: 7, ...versions })

describe('a draft that was not saved', () => {
  test('is this text itself where a lost response is behind it, however the commas are typed', () => {
    expect(judgeFailure(conflict(draftOf('One', 4)), [typed('One', 'a,,b')])).toEqual({ kind: 'adopt', version: 4 })
    const theirs = draftOf('One', 4)
    expect(judgeFailure(conflict(theirs), [typed('Two', 'a, b')])).toEqual({ kind: 'taken', theirs })
    expect(judgeFailure(conflict(theirs), [])).toEqual({ kind: 'taken', theirs })
    expect(judgeFailure(conflict(null), [])).toEqual({ kind: 'adopt', version: undefined })
  })

  test('is sent again when the network or the server is away, and not when the server does not take it', () => {
    expect(judgeFailure(new TypeError('Failed to fetch'), [])).toEqual({ kind: 'failed', isOffline: true })
    for (const status of [401, 429, 500, 503])
      expect(judgeFailure(new ApiError(status, ''), [])).toEqual({ kind: 'failed', isOffline: false })
    for (const status of [403, 404, 413, 422]) expect(judgeFailure(new ApiError(status, ''), []).kind).toBe('refused')
  })
})

describe('the form opens', () => {
  test('with the draft of a post that was never saved, without a question', () => {
    expect(unsavedVersionsOf(begun, draftOf('One', 4), undefined).only).toMatchObject({ fields: { title: 'One' }, draftVersion: 4 })
    expect(unsavedVersionsOf(begun, null, undefined).only).toMatchObject({ fields: { title: '', slug: '' }, baseVersion: 0 })
  })

  test('with the copy of this browser where that was only never sent, and asks where the server has something else', () => {
    const next = unsavedVersionsOf(begun, draftOf('One', 4), copyOf('One two', { baseVersion: 0, draftVersion: 4 }))
    expect(next.only).toMatchObject({ fields: { title: 'One two' }, draftVersion: 4, isUnsent: true })
    expect(unsavedVersionsOf(begun, null, copyOf('Alone', { baseVersion: 0 })).only).toMatchObject({ fields: { title: 'Alone' } })
    for (const copy of [copyOf('Mine', { baseVersion: 0, draftVersion: 3 }), copyOf('Mine', { baseVersion: 0 })]) {
      const both = unsavedVersionsOf(begun, draftOf('Theirs', 4), copy)
      expect([both.only, both.local?.fields.title, both.draft?.fields.title]).toEqual([undefined, 'Mine', 'Theirs'])
    }
  })

  test('with a question about the draft of a saved post, but for a copy that was only never sent', () => {
    expect(unsavedVersionsOf(saved, draftOf('One', 4, 3), undefined)).toMatchObject({
      only: undefined,
      draft: { fields: { title: 'One' } },
    })
    expect(unsavedVersionsOf(saved, null, copyOf('Two', { baseVersion: 3 })).only).toMatchObject({ fields: { title: 'Two' } })
    expect(unsavedVersionsOf(saved, null, copyOf('Two', { baseVersion: 2 })).only).toBeUndefined()
  })
})

test('the id of a new post is a UUID that sorts by time', () => {
  const ids = Array.from({ length: 50 }, (_, at) => newPostId(1_800_000_000_000 + at))
  expect(ids.every((id) => isPostId(id) && /^.{14}7.{4}[89ab]/.test(id))).toBe(true)
  expect(ids.toSorted()).toEqual(ids)
})
