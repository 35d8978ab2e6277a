import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction, runInThisContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { inAscii, quicker } from './server-code.ts'

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

describe('the router', () => {
  const { resolve } = createRequire(import.meta.resolve('fastify'))
  const NODE = resolve('find-my-way/lib/node.js')
  const STORAGE = resolve('find-my-way/lib/handler-storage.js')
  const sourceOf = (file: string) => readFileSync(file, 'utf8')
  const router = z.object({ exports: z.custom<{ createStaticNode: (prefix: string) => StaticNode }>() })

  type StaticNode = { matchPrefix: (address: string, start: number) => boolean }

  /** Runs a file of the package as CommonJS. */
  function load(code: string) {
    const module = { exports: {} }
    Reflect.apply(compileFunction(code, ['module', 'require']), undefined, [module, createRequire(NODE)])
    return router.parse(module).exports
  }

  test('matches the same addresses', () => {
    const [slow, quick] = [load(sourceOf(NODE)), load(quicker(sourceOf(NODE), NODE) ?? '')]
    const addresses = ['/', '/api', '/api/', '/api/contacts', '/api/contacts/quarantine', '/apis', '/xapi/contacts', '']
    for (const prefix of addresses.filter(Boolean)) {
      const places = addresses.flatMap((address) => [0, 1].map((start) => ({ address, start })))
      // The router has compared the first character before.
      const reached = places.filter(({ address, start }) => address[start] === prefix[0])
      const matchesOf = ({ createStaticNode }: typeof slow) =>
        reached.map(({ address, start }) => createStaticNode(prefix).matchPrefix(address, start))
      expect(matchesOf(quick)).toEqual(matchesOf(slow))
    }
    expect(quick.createStaticNode('/api').matchPrefix.toString()).not.toContain('charCodeAt')
  })

  test('compares a part of an address without searching the rest of it', () => {
    const { createStaticNode } = load(quicker(sourceOf(NODE), NODE) ?? '')
    for (const part of ['ap', 'api/', 'a-part-of-an-address/']) {
      const search = vi.spyOn(String.prototype, 'indexOf')
      const matches = ['x', part].map((rest) => createStaticNode(part).matchPrefix(`/${rest}${'ap'.repeat(9)}`, 1))
      const searches = search.mock.calls.length
      search.mockRestore()
      expect([matches, searches]).toEqual([[false, true], 0])
    }
  })

  test('makes one function for routes with the same parameters', () => {
    const storage = z.custom<new () => { _compileCreateParamsObject: (names: string[]) => (value: string) => object }>()
    const module: { exports: unknown } = { exports: {} }
    const code = quicker(sourceOf(STORAGE), STORAGE) ?? ''
    Reflect.apply(compileFunction(code, ['module', 'require']), undefined, [module, createRequire(STORAGE)])
    const HandlerStorage = storage.parse(module.exports)
    const made = (...names: string[]) => new HandlerStorage()._compileCreateParamsObject(names)
    expect(made('id')).toBe(made('id'))
    expect({ ...made('id')('7') }).toEqual({ id: '7' })
    expect({ ...made('slug')('seven') }).toEqual({ slug: 'seven' })
  })

  test('with other code fails the build, so slow code does not return unnoticed', () => {
    expect(() => quicker('const LONG_PREFIX_MIN_LENGTH = 8', NODE)).toThrow('find-my-way/lib/node.js has changed')
    expect(quicker('anything', '/node_modules/find-my-way/index.js')).toBeUndefined()
  })
})
