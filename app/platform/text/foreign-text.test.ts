import { expect, test } from 'vitest'
import { foreignEncodingOf, foreignText, readForeignText } from './foreign-text.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

async function* pieces(whole: Uint8Array, size: number) {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
}

test('text in UTF-8 is read as it was written, also where it ends with an accent', () => {
  for (const text of ['', 'plain', 'Zürich', 'Orfù', '😀', 'a\uFFFDb']) expect(readForeignText(utf8(text))).toBe(text)
})

test('a byte order mark decides and is no part of the text', () => {
  expect(readForeignText(utf8('\uFEFFEmail'))).toBe('Email')
  expect(readForeignText(Uint8Array.from(Buffer.from('\uFEFFGrüße 😀', 'utf16le')))).toBe('Grüße 😀')
  expect(readForeignText(Uint8Array.from(Buffer.from('\uFEFFGrüße', 'utf16le').swap16()), 'utf-8')).toBe('Grüße')
  expect(readForeignText(Uint8Array.from(Buffer.from('Email;Name', 'utf16le')))).toBe('Email;Name')
})

test('text of an old Windows program keeps its umlauts, quotation marks and euro sign', () => {
  expect(readForeignText(bytes('J\u00fcrgen \u0084Gr\u00f6\u00dfe\u0093 5 \u0080'))).toBe('Jürgen „Größe“ 5 €')
  expect(readForeignText(bytes('J\u00fcrgen'), 'utf-8')).toBe('Jürgen')
  expect(readForeignText(bytes('J\u00fcrgen'), 'x-unknown')).toBe('Jürgen')
})

test('a declared charset is used for bytes that are no UTF-8, and UTF-8 for those that are', () => {
  expect(readForeignText(bytes('\u00cf\u00f0\u00e8\u00e2\u00e5\u00f2'), 'windows-1251')).toBe('Привет')
  expect(readForeignText(bytes('\u0082\u00b1\u0082\u00f1'), 'CP932')).toBe('こん')
  expect(readForeignText(bytes('\u001b$B$3$s\u001b(B'), 'iso-2022-jp')).toBe('こん')
  expect(readForeignText(utf8('Grüße'), 'iso-8859-1')).toBe('Grüße')
})

test('a long text stays readable where one of its characters is broken', () => {
  const cut = utf8('Grüße aus Köln €').subarray(0, -1)
  expect(readForeignText(cut, 'utf-8')).toBe('Grüße aus Köln \uFFFD')
  expect(readForeignText(bytes('\u0082\u00b1\u0082\u00f1\u0082'), 'shift_jis')).toBe('こん\uFFFD')
})

test('the size of the pieces of a stream changes no character', async () => {
  const files = [utf8('\uFEFFZürich 😀 Orfù'), utf8('Orfù'), bytes('Orf\u00f9'), bytes('\u00fe\u00ff\0a\0\u00fc'), new Uint8Array()]
  const expected = ['Zürich 😀 Orfù', 'Orfù', 'Orfù', 'aü', '']
  for (const size of [1, 2, 3, 5, 1000]) {
    const read = files.map(async (file) => {
      const { encoding } = await foreignEncodingOf(pieces(file, size))
      return (await Array.fromAsync(foreignText(pieces(file, size), encoding))).join('')
    })
    expect(await Promise.all(read)).toEqual(expected)
  }
})
