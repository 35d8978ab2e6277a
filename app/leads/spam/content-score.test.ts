import { describe, expect, test } from 'vitest'
import { scoreContent } from './content-score.ts'

const content = (change: Partial<Parameters<typeof scoreContent>[0]> = {}) => ({
  name: 'Ada Lovelace',
  email: 'ada@analytical.example',
  lines: ['United Kingdom', 'Price Monitoring'],
  message: 'We compare prices by hand and would like a table instead.',
  ...change,
})

describe('typical customer messages are clean', () => {
  test.each([
    'Please extract products from https://shop.example.com/a, https://shop.example.com/b and https://other.example.com every day.',
    'WE NEED PRICES',
    'Hello, test test test 123',
    'Wir brauchen täglich die Preise von vierzig Geschäften, möglichst als CSV-Datei.',
    '毎日四十店舗の価格を比較する表が必要です。',
    'Нам нужны цены конкурентов каждый день в виде таблицы.',
    'Scrape backlinks and SEO rankings of our competitors for a market report.',
    'Donaudampfschifffahrtsgesellschaft braucht Daten von Wettbewerbern.',
    'asdf asdf asdf',
    'x'.repeat(10),
  ])('%s', (message) => expect(scoreContent(content({ message })).score).toBeLessThan(5))

  test.each(['Ng', 'Þórdís Jónsdóttir', 'Krzysztof Szczepański', 'McDonaldson', 'ADA', 'li'])('from %s', (name) => {
    expect(scoreContent(content({ name })).score).toBe(0)
  })
})

test.each([
  ['markup', { message: 'Nice site! <a href="https://spam.example">click</a> for more of it' }],
  ['markup', { message: 'Look at [url=https://spam.example]this[/url] please, friends' }],
  ['many_links', { message: 'https://a.example '.repeat(6) }],
  ['link_in_name', { name: 'Win big at https://casino.example' }],
  ['link_in_field', { lines: ['https://a.example https://b.example'] }],
  ['known_pitch', { message: 'We can rank your website on the first page of Google within a month.' }],
  ['several_pitches', { message: 'Buy cheap backlinks today, and viagra for a friend.' }],
  ['gibberish_name', { name: 'xKjQpWmZrTbYv' }],
  ['gibberish_message', { message: 'hGtRfDeSwQaZxCvBn' }],
  ['disposable_address', { email: 'x@mailinator.com' }],
  ['shouting', { message: 'THIS IS THE BEST OFFER YOU WILL EVER GET IN YOUR WHOLE LIFE, ANSWER NOW' }],
])('%s is seen', (reason, change) => expect(scoreContent(content(change)).reasons).toContain(reason))

test('plain spam is past every doubt', () => {
  const spam = content({
    name: 'Casino https://casino.example',
    message: 'Online casino bonus! Buy viagra <a href="https://casino.example">here</a>',
  })
  expect(scoreContent(spam).score).toBeGreaterThanOrEqual(10)
})

test('no message is long or odd enough to keep us busy', () => {
  const hostile = ['<a ', 'http://', 'aB', ' ', 'casino ', 'www.', '[url', 'rank your '].map((part) => part.repeat(50_000))
  for (const part of ['make 1', 'order', 'sports', 'your', 'back']) hostile.push(`${part}${' '.repeat(100_000)}.`)
  for (const message of hostile) expect(scoreContent(content({ message })).score).toBeLessThan(100)
})
