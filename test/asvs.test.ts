import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const document = readFileSync('docs/asvs.md', 'utf8')
const rows = [...document.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| (met|not applicable|deviation) \| ([^|]+) \|$/gm)].map(
  ([, id = '', , verdict = '', evidence = '']) => ({ id, verdict, evidence }),
)

/** The number of requirements of levels 1 and 2 in each chapter of OWASP ASVS 5.0. */
const chapters = { 1: 27, 2: 11, 3: 19, 4: 10, 5: 9, 6: 35, 7: 18, 8: 7, 9: 7, 10: 29, 11: 14, 12: 9, 13: 13, 14: 9, 15: 13, 16: 16, 17: 7 }

test('every requirement of levels 1 and 2 has its row, once', () => {
  const counted: Record<string, number> = {}
  for (const { id } of rows) counted[id.split('.', 1)[0] ?? ''] = (counted[id.split('.', 1)[0] ?? ''] ?? 0) + 1
  expect(counted).toEqual(chapters)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(253)
})

test('every file that a row names exists', () => {
  const named = rows.flatMap(({ id, evidence }) =>
    [...evidence.matchAll(/`([\w./-]+\/[\w.-]+\.tsx?)`/g)].map(([, file = '']) => ({ id, file })),
  )
  expect(named.length).toBeGreaterThan(150)
  expect(named.filter(({ file }) => !existsSync(file))).toEqual([])
})

test('a row that is not met has a reason', () => {
  const silent = rows.filter(({ verdict, evidence }) => verdict !== 'met' && evidence.length < 5)
  expect(silent).toEqual([])
})
