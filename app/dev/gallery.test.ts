import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'

test('the gallery exists only on a development machine, and is not indexed', async () => {
  const reply = await (await startApp()).inject('/dev/gallery')
  expect(reply.statusCode).toBe(200)
  expect(reply.body).toContain('<meta name="robots" content="noindex"/>')
})

test('every component of app/ui is in it, but for the toaster, which each live page has in its root', () => {
  const textOf = (pattern: string) =>
    globSync(pattern)
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
  const components = [...textOf('app/ui/!(*.test).tsx').matchAll(/^export function ([A-Z]\w*)/gm)].map(([, name = '']) => name)
  const shown = textOf('app/dev/*.tsx')
  expect(components.length).toBeGreaterThan(20)
  expect(components.filter((name) => !new RegExp(`<${name}\\b`).test(shown))).toEqual(['Toaster'])
})
