import { afterAll, beforeAll, expect, test } from 'vitest'
import { openedDatabase, transaction } from './db.server.ts'
import { closeDatabase, openDatabase } from './open.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

const COUNT = 'COPY (SELECT n FROM generate_series(1, 3) AS n) TO STDOUT WITH (FORMAT csv)'

async function copy(statement: string): Promise<string[]> {
  const lines: string[] = []
  await openedDatabase().copyOut(statement, (line) => void lines.push(line.toString()))
  return lines
}

test('rows come one by one, in order', async () => {
  expect(await copy(COUNT)).toEqual(['1\n', '2\n', '3\n'])
})

test('errors of the statement and of the callback are thrown; the connection goes on serving', async () => {
  await expect(copy('COPY (SELECT 1 / 0) TO STDOUT WITH (FORMAT csv)')).rejects.toThrow('division by zero')
  const stubborn = openedDatabase().copyOut(COUNT, () => {
    throw new Error('no more')
  })
  await expect(stubborn).rejects.toThrow('no more')
  expect(await copy(COUNT)).toHaveLength(3)
})

test('the copy is not part of an open transaction', async () => {
  await expect(transaction(async () => copy(COUNT))).rejects.toThrow('only its own trx')
})
