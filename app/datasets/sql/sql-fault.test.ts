import { expect, test } from 'vitest'
import { placeOf } from './sql-fault.ts'

const sql = 'SELECT shop FROM nowhere'
const fault = { sql, position: 17 }

test('the word at the position of the error is marked, also in a query with spaces around it', () => {
  expect(placeOf(fault, sql)).toEqual({ from: 17, to: 24 })
  expect(placeOf(fault, `\n  ${sql} `)).toEqual({ from: 20, to: 27 })
  expect(placeOf({ sql, position: 24 }, sql)).toEqual({ from: 23, to: 24 })
})

test('an error of a query that was changed since marks nothing', () => {
  expect(placeOf(fault, `${sql} WHERE 1`)).toBeUndefined()
  expect(placeOf(fault, '')).toBeUndefined()
  expect(placeOf(undefined, sql)).toBeUndefined()
})
