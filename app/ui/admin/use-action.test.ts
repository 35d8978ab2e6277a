import { expect, test } from 'vitest'
import { isSame } from './use-action.ts'

const [one, other] = [(): number => 1, (): number => 2]
const file = new File(['a'], 'a.txt')

test.each([
  [undefined, undefined, true],
  ['a', 'b', false],
  [{ id: 1, rows: [{ id: 2 }], done: one }, { id: 1, rows: [{ id: 2 }], done: other }, true],
  [{ id: 1, done: one }, { id: 1 }, false],
  [{ rows: [1, 2] }, { rows: [1] }, false],
  [{ rows: [] }, { rows: {} }, false],
  [{ isStarred: { from: false, to: true } }, { isStarred: { from: true, to: false } }, false],
  [{ file }, { file }, true],
  [{ file }, { file: new File(['a'], 'a.txt') }, false],
  [null, {}, false],
])('two presses of a button send %o and %o: the same change, %s', (first, second, same) => {
  expect(isSame(first, second)).toBe(same)
})
