import { expect, test } from 'vitest'
import { revisionName, rowsOf } from './revision-rows.ts'

const same = (...lines: string[]) => ({ kind: 'same' as const, lines })
const shown = (content: Parameters<typeof rowsOf>[0]) => rowsOf(content).map(({ kind, text }) => `${kind} ${text}`)

test('of what is alike only the lines around a change are shown, and how many are not', () => {
  expect(
    shown([
      same('1', '2', '3', '4'),
      { kind: 'removed', lines: ['5'] },
      { kind: 'added', lines: ['five'] },
      same('6', '7', '8', '9', '10', '11'),
    ]),
  ).toEqual(['gap 2 unchanged lines', 'same 3', 'same 4', 'removed 5', 'added five', 'same 6', 'same 7', 'gap 4 unchanged lines'])
})

test('a single line is shown rather than counted, and between two changes what stands beside both', () => {
  expect(shown([same('1', '2', '3'), { kind: 'added', lines: ['x'] }])).toEqual(['same 1', 'same 2', 'same 3', 'added x'])
  const middle = same('1', '2', '3', '4', '5', '6')
  expect(shown([{ kind: 'added', lines: ['x'] }, middle, { kind: 'added', lines: ['y'] }])).toEqual([
    'added x',
    'same 1',
    'same 2',
    'gap 2 unchanged lines',
    'same 5',
    'same 6',
    'added y',
  ])
})

test('each row has a key of its own, and a field its name in words', () => {
  const rows = rowsOf([same('a', 'a'), { kind: 'added', lines: ['a'] }])
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3)
  expect([revisionName('metaTitle'), revisionName('tags')]).toEqual(['Meta title', 'Tags'])
})
