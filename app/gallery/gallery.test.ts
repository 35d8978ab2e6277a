import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'

test('the gallery stands on one’s own machine, and no search engine keeps it', async () => {
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
  const shown = textOf('app/gallery/*.tsx')
  expect(components.length).toBeGreaterThan(20)
  expect(components.filter((name) => !new RegExp(`<${name}\\b`).test(shown))).toEqual(['Toaster'])
})
