import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { inAscii } from './server-code.ts'

test('code in ASCII means the same', () => {
  const code = 'const café = "…"; café + `😀${1}é` + /^[é-ü😀]+$/u.test("é😀ü") + `${"x"}` + /^\\–$/.test("–") + "\\\\–" // ü'
  const ascii = inAscii(code)
  expect(ascii).toMatch(/^[\0-\x7F]+$/)
  const run = (text: string): unknown => runInThisContext(`{${text}\n}`)
  expect(run(ascii)).toBe('…😀1étruextrue\\–')
  expect(run(ascii)).toBe(run(code))
})

test('code whose tag reads a template as it is written stays as it is', () => {
  const code = 'String.raw`é`'
  expect(inAscii(code)).toBe(code)
  expect(inAscii('tag`e${"é"}`')).toBe('tag`e${"\\u00e9"}`')
})
