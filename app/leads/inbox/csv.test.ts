import { describe, expect, test } from 'vitest'
import { CsvLines, headLine } from './csv.ts'
import { conversionRate } from './lead-summary.ts'

test('the line of names has every one quoted', () => {
  expect(headLine(['Name', 'Created At'])).toBe('"Name","Created At"\r\n')
})

describe('lines of the database', () => {
  const id = 'd739afdd-1196-4ca9-8283-f6a88a515374'
  const linesOf = (...given: string[]) => {
    const lines = new CsvLines()
    for (const line of given) lines.take(Buffer.from(line))
    return lines
  }
  const textOf = (lines: CsvLines) => Buffer.concat(lines.pieces).toString()

  test.each([
    ['2026-10-03 09:08:07.654321', '2026-10-03T09:08:07.654Z'],
    ['2026-10-03 09:08:07.6', '2026-10-03T09:08:07.600Z'],
    ['2026-10-03 09:08:07', '2026-10-03T09:08:07.000Z'],
    ['2026-10-03 00:00:00.000009', '2026-10-03T00:00:00.000Z'],
  ])('%s ends its line as %s', (at, iso) => {
    const lines = linesOf(`"Ada",${at},${id}\n`)
    expect(textOf(lines)).toBe(`"Ada","${iso}"\r\n`)
    expect([lines.count, lines.last]).toEqual([1, { at, id }])
  })

  test('what the cells hold stays as it is, whatever it looks like', () => {
    const cells = `"two\nlines","a ""b"", c","","ü €","x,2026-10-03 09:08:07,${id}\n"`
    const line = `${cells},2026-10-03 09:08:07,${id}\n`
    expect(textOf(linesOf(line, line))).toBe(`${cells},"2026-10-03T09:08:07.000Z"\r\n`.repeat(2))
  })

  test('lines longer than the room that there is fit, and what was lent may change', () => {
    const lines = new CsvLines()
    const line = Buffer.from(`"${'long '.repeat(20_000)}",2026-10-03 09:08:07,${id}\n`)
    for (let time = 0; time < 3; time += 1) lines.take(line)
    line.fill('x')
    expect(textOf(lines)).toBe(`"${'long '.repeat(20_000)}","2026-10-03T09:08:07.000Z"\r\n`.repeat(3))
  })

  test('many lines are in order, also where a piece of the memory ends', () => {
    const given = Array.from({ length: 20_000 }, (_, at) => `"Number ${at}"`)
    const lines = linesOf(...given.map((cells) => `${cells},2026-10-03 09:08:07,${id}\n`))
    expect(lines.pieces.length).toBeGreaterThan(1)
    expect(textOf(lines)).toBe(given.map((cells) => `${cells},"2026-10-03T09:08:07.000Z"\r\n`).join(''))
    expect(lines.bytes).toBe(textOf(lines).length)
  })

  test('lines after the most bytes are left to the next batch, which begins after the last one', () => {
    const lines = new CsvLines(1000)
    const other = id.replaceAll('d', 'e')
    for (const each of [id, other, id]) lines.take(Buffer.from(`"${'x'.repeat(600)}",2026-10-03 09:08:07.5,${each}\n`))
    expect([lines.count, lines.isCut, lines.last]).toEqual([2, true, { at: '2026-10-03 09:08:07.5', id: other }])
    expect(textOf(lines)).toBe(`"${'x'.repeat(600)}","2026-10-03T09:08:07.500Z"\r\n`.repeat(2))
  })
})

test('the conversion rate is a whole percentage, and 0 without contacts', () => {
  expect([conversionRate(0, 0), conversionRate(5, 0), conversionRate(1, 3), conversionRate(2, 3), conversionRate(3, 2)]).toEqual([
    0, 0, 33, 67, 150,
  ])
})
