import { expect, test } from 'vitest'
import { beforeAt, moved, search } from './order.ts'

const list = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
const ids = (some: { id: string }[]) => some.map(({ id }) => id).join('')
const after = (id: string, before: string | null) => ids(moved(list, { id, before }))

test('one goes before another one or to the end; what is not there any more moves nothing', () => {
  expect(after('c', 'a')).toBe('cabd')
  expect(after('a', 'd')).toBe('bcad')
  expect(after('a', null)).toBe('bcda')
  expect(after('b', 'b')).toBe('abcd')
  expect(after('x', 'a')).toBe('abcd')
  expect(after('a', 'x')).toBe('abcd')
})

test('a place of the list is reached from before and from behind', () => {
  for (const id of 'abcd') {
    for (const place of [1, 2, 3, 4]) expect(moved(list, { id, before: beforeAt(list, id, place) })[place - 1]?.id).toBe(id)
  }
})

test('a search needs each of its words and leaves the numbers of the whole list', () => {
  const found = (words: string | null) => search(list, words, ({ id }) => `Name ${id}`).map(({ id, place }) => `${id}${place}`)
  expect(found('C name')).toEqual(['c3'])
  expect(found('c d')).toEqual([])
  expect(found(null)).toEqual(['a1', 'b2', 'c3', 'd4'])
})
