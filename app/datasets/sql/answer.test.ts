import { describe, expect, test } from 'vitest'
import type { Column } from '#app/datasets/catalog/column.ts'
import type { QueryResult } from './query.ts'
import { drawableOf, pointsOf } from './chart-series.ts'
import { exampleQuestions, nameInSql } from './example-queries.ts'
import { toCsv } from './result-view.tsx'
import { lineAndColumn } from './query-workbench.tsx'

const column = (name: string, type: Column['type'], given: Partial<Column> = {}): Column => ({
  name,
  type,
  description: '',
  fillRate: 1,
  distinct: 50,
  min: null,
  max: null,
  histogram: null,
  topValues: [],
  masked: false,
  ...given,
})
const result = (columns: [string, Column['type']][], ...rows: unknown[][]): QueryResult => ({
  columns: columns.map(([name, type]) => ({ name, type })),
  rows,
  truncated: false,
  ms: 1,
})

describe('examples', () => {
  test('they are made of the columns that there are, with names as SQL takes them', () => {
    const made = exampleQuestions([column('id', 'integer'), column('Shop name', 'text'), column('price', 'number'), column('day', 'date')])
    expect(made.map(({ title }) => title)).toEqual([
      'First rows',
      'Summary of all columns',
      'Rows by Shop name',
      'Average price by Shop name',
      'Average price by month',
      'Highest price',
    ])
    expect(made[2]?.sql).toContain('SELECT "Shop name", count(*)')
  })

  test('no example asks for a column that says something of persons', () => {
    const made = exampleQuestions([column('email', 'text', { masked: true }), column('born', 'date', { masked: true })])
    expect(made.map(({ title }) => title)).toEqual(['First rows', 'Summary of all columns'])
  })

  test.each([
    ['price', 'price'],
    ['Price', '"Price"'],
    ['order', '"order"'],
    ['a "b"', '"a ""b"""'],
    ['2nd', '"2nd"'],
  ])('%s is written %s', (name, written) => expect(nameInSql(name)).toBe(written))
})

describe('a chart', () => {
  test('is drawn by moments where there are any, else by names, with any column of numbers', () => {
    const rows = [
      ['a', '2026-01-01', '1.50', 2],
      ['b', '2026-01-02', null, 3],
    ]
    const both = result(
      [
        ['shop', 'text'],
        ['day', 'date'],
        ['price', 'number'],
        ['count', 'integer'],
      ],
      ...rows,
    )
    expect(drawableOf(both)).toEqual({ label: 1, values: [2, 3], kind: 'line' })
    expect(pointsOf(both.rows, 0, 2, 'bars')).toEqual([{ label: 'a', value: 1.5 }])
  })

  test('needs two rows, names and numbers', () => {
    expect(
      drawableOf(
        result(
          [
            ['shop', 'text'],
            ['count', 'integer'],
          ],
          ['a', 1],
        ),
      ),
    ).toBeUndefined()
    expect(drawableOf(result([['shop', 'text']], ['a'], ['b']))).toBeUndefined()
    expect(drawableOf(result([['count', 'integer']], [1], [2]))).toBeUndefined()
  })
})

describe('a file of the answer', () => {
  test('has every value as it is, and nothing that a spreadsheet would run', () => {
    const csv = toCsv(
      result(
        [
          ['a "b"', 'text'],
          ['n', 'number'],
          ['o', 'object'],
        ],
        ['=1+1', '-1.50', { x: 1 }],
        ['two\nlines, "so"', null, [1]],
        ['-5', 9007199254740991, null],
      ),
    )
    expect(csv).toBe('"a ""b""","n","o"\r\n"\'=1+1",-1.50,"{""x"":1}"\r\n"two\nlines, ""so""",,"[1]"\r\n"\'-5",9007199254740991,\r\n')
  })
})

test('a place is told as people count', () => {
  expect(lineAndColumn('SELECT 1\nFROM x', 14)).toEqual({ line: 2, column: 6 })
  expect(lineAndColumn('x', 0)).toEqual({ line: 1, column: 1 })
})
