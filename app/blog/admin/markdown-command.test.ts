import { describe, expect, test } from 'vitest'
import { type CommandName, markdownCommands, pictureCommand, type MarkdownCommand } from './markdown-command.ts'

/** The selection is between `‹` and `›`; `|` is a cursor. */
function after(command: MarkdownCommand, given: string): string {
  const text = given.replace(/[‹›|]/g, '')
  const from = Math.max(given.indexOf('‹'), given.indexOf('|'))
  const to = given.includes('›') ? given.indexOf('›') - 1 : from
  const edit = command({ text, from, to })
  const next = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  const { from: start, to: end } = edit.select
  return start === end
    ? `${next.slice(0, start)}|${next.slice(start)}`
    : `${next.slice(0, start)}‹${next.slice(start, end)}›${next.slice(end)}`
}

const cases: [CommandName, string, string][] = [
  ['bold', 'a ‹word› here', 'a **‹word›** here'],
  ['bold', 'a **‹word›** here', 'a ‹word› here'],
  ['bold', 'a | here', 'a **‹bold›** here'],
  ['italic', 'a ‹word› here', 'a _‹word›_ here'],
  ['italic', '_‹word›_', '‹word›'],
  ['italic', '__‹word›__', '___‹word›___'],
  ['heading', 'One\nT|wo\nThree', 'One\n## Two|\nThree'],
  ['heading', '## T|wo', '### Two|'],
  ['heading', '### T|wo', 'Two|'],
  ['heading', '# T|wo', 'Two|'],
  ['list', 'x\n‹One\nTwo›', 'x\n‹- One\n- Two›'],
  ['list', '‹- One\n* Two›', '‹One\nTwo›'],
  ['list', '‹1. One\n2. Two›', '‹- One\n- Two›'],
  ['numbers', 'O‹ne\nTw›o', '‹1. One\n2. Two›'],
  ['numbers', '‹1. One\n2. Two›', '‹One\nTwo›'],
  ['quote', '‹One\n\nTwo›', '‹> One\n> \n> Two›'],
  ['quote', '‹> One\n>Two›', '‹One\nTwo›'],
  ['code', 'a ‹word› here', 'a `‹word›` here'],
  ['code', 'x ‹one\ntwo› y', 'x \n```\n‹one\ntwo›\n```\n y'],
  ['link', 'a ‹word› here', 'a [word](‹https://›) here'],
  ['link', 'see ‹https://example.com/a?b=1›', 'see [‹words›](https://example.com/a?b=1)'],
  ['link', 'a | here', 'a [|](https://) here'],
]

test.each(cases)('%s makes of %j', (name, given, expected) => expect(after(markdownCommands[name].run, given)).toBe(expected))

describe('a picture', () => {
  const put = pictureCommand({ alt: 'Prices [2026] of a \\ shop', url: '/images/1/960.webp' })
  const picture = String.raw`![Prices \[2026\] of a \\ shop](/images/1/960.webp)`

  test('stands on a line of its own, and its words cannot end it', () => {
    expect(after(put, '|')).toBe(`${picture}|`)
    expect(after(put, 'One| two')).toBe(`One\n\n${picture}|\n\n two`)
    expect(after(put, 'One\n|\ntwo')).toBe(`One\n${picture}|\ntwo`)
  })
})

test('no two tools have the same keys', () => {
  const keys = Object.values(markdownCommands).map((command) => command.keys)
  expect(new Set(keys).size).toBe(keys.length)
})
