import { expect, test } from 'vitest'
import { manyLines, oneLine } from './clean-text.ts'

test('letters with marks stay as typed, composed where possible', () => {
  expect(oneLine('Zoe\u0308 Nguye\u0302\u0303n')).toBe('Zo\u00EB Nguy\u1EC5n')
  expect(oneLine('שָׁלוֹם')).toBe('שָׁלוֹם'.normalize('NFC'))
})

test('a pile of marks on one letter is cut before normalization, which would take minutes', () => {
  const heap = `a${'\u0301\u0316'.repeat(200_000)}`
  expect(oneLine(heap).length).toBeLessThanOrEqual(31)
  expect(manyLines(`${heap}\n${heap}`).length).toBeLessThanOrEqual(63)
})

test('invisible text is empty', () => {
  for (const text of ['\u200B\u200B', '\u200F \u200F', '\u2060\u00AD', '\u0000\u0000'])
    expect([oneLine(text), manyLines(text)]).toEqual(['', ''])
  expect(oneLine('نیم\u200Cفاصله')).toBe('نیم\u200Cفاصله')
})

test('a line of plain words stays as typed, and other ASCII is cleaned', () => {
  for (const text of ['Prices', 'About lot 7, please.', '~!"#$%']) expect([oneLine(text), manyLines(text)]).toEqual([text, text])
  for (const text of [' two words', 'two words ', 'two  words', 'two\twords', 'two\u0000words', 'two\r\nwords\u007F'])
    expect(oneLine(text)).toBe('two words')
  expect(manyLines('one\r\n\n\n\n\ntwo\u0000 \n')).toBe('one\n\n\ntwo')
})

test('a line of millions of words is cleaned like any other', () => {
  const text = `${'a '.repeat(5_000_000)}b`
  expect(oneLine(text) === text).toBe(true)
})
