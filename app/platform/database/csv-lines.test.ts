import { describe, expect, test } from 'vitest'
import { CsvLines, headLine } from './csv-lines.ts'

const id = 'd739afdd11964ca98283f6a88a515374'
const EPOCH_MICROSECONDS = BigInt(Date.UTC(2000, 0, 1)) * 1000n

/** Like the binary format of the database. `time` is in ISO 8601 with six digits of the second. */
function rowOf(texts: (string | null)[], time = '2026-10-03T09:08:07.654321Z', rowId = id): Buffer {
  const values = [...texts.map((text) => (text === null ? null : Buffer.from(text))), timeBytes(time), Buffer.from(rowId, 'hex')]
  const parts = values.flatMap((value) => [int32(value?.length ?? -1), value ?? Buffer.alloc(0)])
  const count = Buffer.alloc(2)
  count.writeInt16BE(values.length)
  return Buffer.concat([count, ...parts])
}

function timeBytes(time: string): Buffer {
  const bytes = Buffer.alloc(8)
  const milliseconds = BigInt(Date.parse(time.replace(/\d{3}Z$/, 'Z')))
  bytes.writeBigInt64BE(milliseconds * 1000n + BigInt(time.slice(-4, -1)) - EPOCH_MICROSECONDS)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function linesOf(...rows: Buffer[]) {
  const pieces: Buffer[] = []
  const lines = new CsvLines('', (piece) => void pieces.push(piece))
  for (const row of rows) lines.take(row)
  lines.flush()
  return { lines, pieces, text: Buffer.concat(pieces).toString() }
}

const textOf = (...rows: Buffer[]) => linesOf(...rows).text
const cellOf = (text: string | null) => textOf(rowOf([text])).split(',"2026-10-03T', 1)[0]

test('every column name is quoted', () => {
  expect(headLine(['Name', 'Created At'])).toBe('"Name","Created At"\r\n')
})

describe('times', () => {
  test.each([
    ['2026-10-03T09:08:07.654321Z', '2026-10-03T09:08:07.654Z'],
    ['2026-10-03T00:00:00.000000Z', '2026-10-03T00:00:00.000Z'],
    ['2026-10-03T23:59:59.999999Z', '2026-10-03T23:59:59.999Z'],
    ['2026-02-28T12:30:00.050009Z', '2026-02-28T12:30:00.050Z'],
    ['2000-01-01T00:00:00.000000Z', '2000-01-01T00:00:00.000Z'],
    ['1999-12-31T23:59:59.999001Z', '1999-12-31T23:59:59.999Z'],
    ['1969-12-31T23:00:00.000999Z', '1969-12-31T23:00:00.000Z'],
    ['2199-06-01T01:02:03.004005Z', '2199-06-01T01:02:03.004Z'],
  ])('%s ends its line as %s, and the position keeps the microseconds', (time, written) => {
    const { lines, text } = linesOf(rowOf(['Ada'], time))
    expect(text).toBe(`"Ada","${written}"\r\n`)
    expect([lines.count, lines.last]).toEqual([1, { createdAt: time, id }])
  })

  test('each row has its own, also on the day of the row before', () => {
    const times = [
      '2026-10-03T09:08:07.654000Z',
      '2026-10-03T00:00:01.000000Z',
      '2026-10-02T23:59:59.000000Z',
      '2026-10-03T10:00:00.100000Z',
    ]
    const { lines, text } = linesOf(...times.map((time) => rowOf([], time)))
    expect(text).toBe(times.map((time) => `"${time.replace(/\d{3}Z$/, 'Z')}"\r\n`).join(''))
    expect(lines.last?.createdAt).toBe(times.at(-1))
  })
})

describe('cells', () => {
  const long = (text: string) => text + ' and more words'.repeat(10)

  test.each(['', 'two\nlines', 'ü € 🚀', "O'Hara \\ Söhne", ' =1', '0', long('long'), long('ü €')])('%j stays as it is', (text) => {
    expect(cellOf(text)).toBe(`"${text}"`)
  })

  test('a missing text is empty', () => {
    expect(textOf(rowOf([null, 'Ada', null]))).toBe('"","Ada","","2026-10-03T09:08:07.654Z"\r\n')
  })

  test.each(['"', '""', 'say "rows"', '"begin', 'end"', long('"'), `${long('"a" and "b"')}"`, '"'.repeat(500)])(
    '%j doubles its quotes',
    (text) => {
      expect(cellOf(text)).toBe(`"${text.replaceAll('"', '""')}"`)
      expect(textOf(rowOf([text, text, '"']))).toMatch(/,""""(?=,"2026)/)
    },
  )

  test.each(['=1+1', '+1+cmd', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '="a"&cmd', long('=1')])('%j gets an apostrophe', (text) => {
    expect(cellOf(text)).toBe(`"'${text.replaceAll('"', '""')}"`)
  })

  test('a length byte with the value of a quote is not doubled', () => {
    const text = 'x'.repeat('"'.charCodeAt(0))
    expect(textOf(rowOf([text, text, 'a'.repeat(0x22_22)]))).toBe(
      `"${text}","${text}","${'a'.repeat(0x22_22)}","2026-10-03T09:08:07.654Z"\r\n`,
    )
  })

  test('2,000 random rows match a simple writer', () => {
    let seed = 42
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    const signs = ['"', '=', ',', '\n', 'a', 'b', ' ', '0', 'é', '€', '🚀', "'", '+', '-']
    const rows = Array.from({ length: 2_000 }, () =>
      Array.from({ length: 4 }, () => Array.from({ length: random(random(2) ? 80 : 6) }, () => signs[random(signs.length)]).join('')),
    )
    const expected = rows.map((texts) => {
      const cells = texts.map((text) => (/^[=\-\n]|^\+(?![\d -]*$)/.test(text) ? `'${text}` : text).replaceAll('"', '""'))
      return `${cells.map((cell) => `"${cell}",`).join('')}"2026-10-03T09:08:07.654Z"\r\n`
    })
    expect(textOf(...rows.map((texts) => rowOf(texts)))).toBe(expected.join(''))
  })
})

describe('many rows', () => {
  test('lines longer than a piece fit, and the bytes of a row may change afterward', () => {
    const row = rowOf(['long "quotes" '.repeat(20_000)])
    const pieces: Buffer[] = []
    const lines = new CsvLines('', (piece) => void pieces.push(piece))
    for (let times = 0; times < 3; times += 1) lines.take(row)
    row.fill('x')
    lines.flush()
    expect(Buffer.concat(pieces).toString()).toBe(`"${'long ""quotes"" '.repeat(20_000)}","2026-10-03T09:08:07.654Z"\r\n`.repeat(3))
    expect(lines.last).toEqual({ createdAt: '2026-10-03T09:08:07.654321Z', id })
  })

  test('they are written in order, many at a time, and a flush between them changes nothing', () => {
    const given = Array.from({ length: 20_000 }, (_, at) => `Number ${at}`)
    const { lines, pieces, text } = linesOf(...given.map((each) => rowOf([each])))
    expect(text).toBe(given.map((each) => `"${each}","2026-10-03T09:08:07.654Z"\r\n`).join(''))
    expect([lines.count, lines.bytes]).toEqual([20_000, text.length])
    expect(pieces.length).toBe(Math.ceil(text.length / (256 * 1024)))
    lines.flush()
    lines.take(rowOf(['one more']))
    lines.flush()
    expect(Buffer.concat(pieces).toString()).toBe(`${text}"one more","2026-10-03T09:08:07.654Z"\r\n`)
  })

  test('the first line comes before them, also when no row comes', () => {
    const pieces: Buffer[] = []
    const lines = new CsvLines('\uFEFF"Ü"\r\n', (piece) => void pieces.push(piece))
    lines.flush()
    lines.take(rowOf(['Ada']))
    lines.flush()
    expect(Buffer.concat(pieces).toString()).toBe('\uFEFF"Ü"\r\n"Ada","2026-10-03T09:08:07.654Z"\r\n')
  })

  test('without a row there is neither a line nor a position', () => {
    const { lines, pieces } = linesOf()
    expect([pieces, lines.count, lines.last]).toEqual([[], 0, undefined])
  })

  test('bytes that are not one row with its time and id are refused', () => {
    const row = rowOf(['Ada'])
    const tail = row.subarray(-(12 + 20))
    const reversed = Buffer.concat([row.subarray(0, -(12 + 20)), tail.subarray(12), tail.subarray(0, 12)])
    for (const wrong of [row.subarray(0, -1), Buffer.concat([row, row]), reversed])
      expect(() => linesOf(wrong)).toThrow('must end with its time and its id')
  })
})
