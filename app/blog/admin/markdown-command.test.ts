import { describe, expect, test } from 'vitest'
import { type CommandName, findSlashTools, markdownCommands, pictureCommand, type MarkdownCommand, slashTools } from './markdown-command.ts'

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
  ['table', 'One|', 'One\n\n| ‹Column› | Column |\n| --- | --- |\n|  |  |'],
  // Directly below a text, it would make a heading of it.
  ['divider', 'One\n|', 'One\n\n---\n|'],
  ['link', 'a ‹word› here', 'a [word](‹https://›) here'],
  ['link', 'see ‹https://example.com/a?b=1›', 'see [‹words›](https://example.com/a?b=1)'],
  ['link', 'a | here', 'a [|](https://) here'],
]

test.each(cases)('%s makes of %j', (name, given, expected) => expect(after(markdownCommands[name].run, given)).toBe(expected))

describe('a picture', () => {
  const put = pictureCommand({ alt: 'Prices [2026] of a \\ shop', url: '/images/1/960.webp' })
  const picture = String.raw`![Prices \[2026\] of a \\ shop](/images/1/960.webp)`

  test('stands in a paragraph of its own, and its words cannot end it', () => {
    expect(after(put, '|')).toBe(`${picture}|`)
    expect(after(put, 'One| two')).toBe(`One\n\n${picture}|\n\n two`)
    expect(after(put, 'One\n|\ntwo')).toBe(`One\n\n${picture}|\n\ntwo`)
    expect(after(put, 'One\n\n|\n\ntwo')).toBe(`One\n\n${picture}|\n\ntwo`)
  })
})

test('no two tools have the same keys', () => {
  const keys = Object.values(markdownCommands).flatMap((command) => command.keys ?? [])
  expect(new Set(keys).size).toBe(keys.length)
})

describe('the menu at the beginning of a line', () => {
  const found = (typed: string) => findSlashTools(typed).map(({ label }) => label)
  const run = (label: string, given: string) => {
    const tool = slashTools.find((each) => each.label === label)
    return typeof tool?.run === 'function' ? after(tool.run, given) : undefined
  }

  test('finds a tool by its name, by another word for it, and lists those of whole lines for none', () => {
    expect(found('').at(-1)).toBe('Task list')
    expect(found('b')).toEqual(['Bold', 'List', 'Code block', 'Quote'])
    expect(found('ta')).toEqual(['Table', 'Task list'])
    expect(found('hr')).toEqual(['Divider'])
    expect(found('code')).toEqual(['Code block', 'Code'])
    expect(found('list')).toEqual(['List', 'Numbered list', 'Task list'])
    expect(found('nothing')).toEqual([])
  })

  test('makes a heading of its level, a list of tasks, and an empty block of code', () => {
    expect(run('Heading', 'On|e')).toBe('## One|')
    expect(run('Subheading', '## On|e')).toBe('### One|')
    expect(run('Task list', '|')).toBe('- [ ] |')
    expect(run('Code block', 'One\n\n|')).toBe('One\n\n```\n|\n```')
  })
})
