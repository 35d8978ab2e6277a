import { expect, test } from 'vitest'
import { migrationNames, statementsOf } from './migrate.server.ts'

test('a file is one statement after another, each ending where a line ends with a semicolon', () => {
  expect(statementsOf('CREATE TABLE a (b text);\nCREATE TABLE c (d text);')).toEqual(['CREATE TABLE a (b text)', 'CREATE TABLE c (d text)'])
  expect(statementsOf('SELECT 1;  \t\nSELECT 2')).toEqual(['SELECT 1', 'SELECT 2'])
})

test('a semicolon inside a line, or a line break inside a statement, ends nothing', () => {
  expect(statementsOf("INSERT INTO a VALUES ('one; two');\n")).toEqual(["INSERT INTO a VALUES ('one; two')"])
  expect(statementsOf('CREATE TABLE a (\n  b text,\n  c text\n);\n')).toEqual(['CREATE TABLE a (\n  b text,\n  c text\n)'])
})

test('comments and empty lines are not statements and stay with theirs', () => {
  expect(statementsOf('-- why\n\n;\n\n  \n')).toEqual([])
  expect(statementsOf('-- why\nSELECT 1;\n-- the end\n')).toEqual(['-- why\nSELECT 1'])
})

test('migrations have names that say their order', () => {
  expect(migrationNames).toContain('0001-foundation')
  for (const name of migrationNames) expect(name).toMatch(/^\d{4}-[a-z-]+$/)
})
