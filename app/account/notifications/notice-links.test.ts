import { globSync, readFileSync } from 'node:fs'
import { matchPath } from 'react-router'
import { expect, test } from 'vitest'
import { listPages } from '#test/every-route.ts'

const pages = listPages()

test('each link of a notice leads to a page', () => {
  const links = globSync('app/**/*.server.ts').flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n')
    const texts = lines.filter((line) => /\blink\b ?[:=]/.test(line)).flatMap((line) => line.match(/(?<=['`])\/[^'`]*/g) ?? [])
    return texts.map((text) => ({ file, path: text.replaceAll(/\$\{[^}]*\}/g, 'x').split(/[?#]/)[0] ?? '' }))
  })
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter(({ path }) => !pages.some((pattern) => matchPath(pattern, path)))).toEqual([])
})
