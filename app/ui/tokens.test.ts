import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { accent, lightColors, paper } from './paper.ts'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const colours = new Map(
  [...css.matchAll(/--color-([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [name, { light, dark }]),
)

const grounds = ['paper', 'surface', 'sunken']
const AAA = 7
const AA = 4.5
const SHAPE = 3

/** Every text color with its background and the least contrast that it must have. Add a new pair here first. */
const pairs: [text: string, on: string[], least: number][] = [
  ['ink', [...grounds, 'grain-wash', 'leaf-wash', 'alarm-wash'], AAA],
  ['muted', ['paper', 'surface'], AAA],
  ['muted', ['sunken', 'grain-wash', 'leaf-wash', 'alarm-wash'], AA],
  ['paper', ['ink'], AAA],
  ['on-grain', ['grain', 'grain-strong'], AA],
  ['grain-text', [...grounds, 'grain-wash'], AA],
  ['leaf', [...grounds, 'leaf-wash'], AA],
  ['alarm', [...grounds, 'alarm-wash'], AA],
  ['on-alarm', ['alarm'], AA],
  ['edge', grounds, SHAPE],
]

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  test.each(pairs.flatMap(([text, on, least]) => on.map((ground) => ({ text, ground, least }))))(
    '$text on $ground has a contrast of at least $least',
    ({ text, ground, least }) => {
      expect(contrast(colour(text, theme), colour(ground, theme))).toBeGreaterThanOrEqual(least)
    },
  )
})

test('every colour is part of a pair, or draws hairlines only', () => {
  const paired = new Set(pairs.flatMap(([text, on]) => [text, ...on]))
  expect([...colours.keys()].filter((name) => name && !paired.has(name))).toEqual(['line'])
})

function colour(name: string, theme: 'light' | 'dark'): string {
  const hex = colours.get(name)?.[theme]
  if (!hex) throw new Error(`tokens.css has no colour ${name}`)
  return hex
}

/** WCAG 2.2, relative luminance. */
function contrast(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (brighter + 0.05) / (darker + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('code that cannot read the tokens has the same page color', () => {
  expect(paper).toEqual(colours.get('paper'))
  for (const [name, pair] of Object.entries(accent)) expect([name, colours.get(name)]).toEqual([name, pair])
})

test('pictures have the colours of light pages', () => {
  for (const [name, colour] of Object.entries(lightColors)) expect([name, colours.get(name)?.light]).toEqual([name, colour])
})
