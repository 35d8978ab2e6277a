import { describe, expect, test } from 'vitest'
import { checkDocument, checkSource } from './words.ts'

const rulesIn = (source: string, file = 'app/leads/page.tsx') => checkSource(file, source).map(({ line, rule }) => `${line}: ${rule}`)

describe('the words of the product', () => {
  test('a sentence that begins with a who or what clause is listed with its line, in comments and in strings', () => {
    expect(rulesIn('const a = 1\n// Who signs in again keeps the page.\n')).toEqual(['2: who or what clause'])
    expect(rulesIn('/** Sends it. What has arrived is stored. */\nconst a = 1')).toEqual(['1: who or what clause'])
    expect(rulesIn("const a = 'What you download appears here.'")).toEqual(['1: who or what clause'])
    expect(rulesIn('const a = <p>\n  Whoever has the link sees the draft.\n</p>')).toEqual(['1: who or what clause', '1: "whoever"'])
    expect(rulesIn('const a = `Saved. What changed since is gone.`')).toEqual(['1: who or what clause'])
  })

  test('a sentence that goes on over two line comments is one', () => {
    expect(rulesIn('// Who signs in\n// again keeps the page.\nconst a = 1')).toEqual(['1: who or what clause'])
  })

  test('a question, a label without a period, and a name in code are fine', () => {
    expect(rulesIn("const a = 'What do you need?'\nconst b = 'What changed'\nconst whoever = 'Who'")).toEqual([])
  })

  test('a private word is listed in a string, and not in a comment or a one-word code', () => {
    expect(rulesIn("const a = 'The letter was sent.'")).toEqual(['1: "letter" for an email'])
    expect(rulesIn("const a = 'Start afresh'\nconst b = 'Take back the link'\nconst c = 'Datasets on the shelf'")).toEqual([
      '1: "anew", "afresh"',
      '2: "take back"',
      '3: "shelf"',
    ])
    expect(rulesIn("// The letter was sent.\nconst a = 'letter'")).toEqual([])
    expect(rulesIn("const a = 'It differs in one letter or digit. Small letters, digits and hyphens.'")).toEqual([])
  })

  test('strings of tests are fixtures, their comments are not', () => {
    expect(rulesIn("const a = 'What was sent is stored.'\n// Who signs in keeps the page.", 'app/leads/page.test.ts')).toEqual([
      '2: who or what clause',
    ])
  })

  test('documents follow the same rules, line by line', () => {
    expect(checkDocument('docs/a.md', '# Uploads\n\nWhat has arrived is stored.\n')).toEqual([
      { file: 'docs/a.md', line: 3, rule: 'who or what clause', text: 'What has arrived is stored.' },
    ])
  })
})
