import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Visitor } from 'vite'
import { expect, test } from 'vitest'
import { founder } from '#app/content/about.ts'
import { claims } from '#app/content/claims.ts'
import { identity } from '#app/content/identity.ts'
import { legalEntity } from '#app/content/legal.ts'
import { offerings } from '#app/content/offerings.ts'
import { priceText } from '#app/content/price.ts'
import { services } from '#app/content/services.ts'
import { terms } from '#app/content/terms.ts'
import { readSources } from '#scripts/source.ts'

const CONTENT = 'app/content'
/** The code of the public pages. */
const PUBLIC_PAGE = /^app\/(blog\/public|leads\/form|site\/(case-studies|hire|home|services|shell))\//

/** The product's own code without its words, comments left out. */
const code = globSync('app/**/*.{ts,tsx}')
  .filter((file) => !file.startsWith(CONTENT) && !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '') }))

const prices = [...services, ...Object.values(offerings)].flatMap(({ price }) => (price === 'custom pricing' ? [] : [priceText(price)]))
const { email, messagingApp, microblog, professionalNetwork } = identity
const networks = [messagingApp, microblog, professionalNetwork].map(({ url }) => url)
const figures = Object.values(claims).map(({ value, label }) => `${value} ${label}`)

test.each([
  ['its name, tagline or address', [identity.name, identity.tagline, email, ...networks]],
  ['its founder, or the registered business', [founder.name, legalEntity.name, legalEntity.address]],
  ['its prices', [...prices, terms.enterprise]],
  ['its claims and terms', [...figures, terms.returnOnInvestment, `${terms.deposit} deposit`]],
  ['its services and offers', [...services, ...Object.values(offerings)].map(({ title }) => title)],
])('another business need not look outside of the content for %s', (_what, words) => {
  expect(words.length).toBeGreaterThan(2)
  // The sender of emails is a setting, and this is its default.
  const said = code.map(({ file, text }) => ({
    file,
    text: text.replace(/(?<=\.default\(\s*'|such as )Winnow </g, '<'),
  }))
  expect(said.flatMap(({ file, text }) => words.filter((word) => text.includes(word)).map((word) => `${file} says ${word}`))).toEqual([])
})

test('the page about the content names each of its files', () => {
  const told = readFileSync('docs/content.md', 'utf8')
  const files = globSync(`${CONTENT}/**/*.{ts,md}`).filter((file) => !file.endsWith('.test.ts') && !/case-study-|\/og-image\//.test(file))

  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => !told.includes(`${path.basename(file)}\``))).toEqual([])
})

/** Attributes that people read or hear. */
const SAID = new Set(['label', 'hint', 'ask', 'submit', 'title', 'eyebrow', 'intro', 'placeholder', 'alt', 'aria-label', 'unavailable'])

/** Texts of more than one word in the components of the public pages. */
const phrases = readSources()
  .filter(({ file, part }) => part === 'product' && PUBLIC_PAGE.test(file) && !/\.(api|server)\.tsx?$/.test(file))
  .flatMap(({ file, program }) => {
    const said: string[] = []
    const note = (text: string) => isPhrase(text) && said.push(`${file} says ${text.trim()}`)
    new Visitor({
      JSXText: ({ value }) => note(value),
      JSXAttribute: ({ name, value }) => {
        if (name.type === 'JSXIdentifier' && SAID.has(name.name) && value?.type === 'Literal') note(value.value)
      },
      // A sentence in any place, but no class names and no address.
      Literal: ({ value }) => typeof value === 'string' && /^[A-Z].* .*[.!?]$/.test(value) && note(value),
      TemplateElement: ({ value }) => /^[A-Z]\w+ \w+/.test(value.cooked ?? '') && note(value.cooked ?? ''),
    }).visit(program)
    return said
  })

function isPhrase(text: string): boolean {
  return text.split(/\s+/).filter((word) => /[a-z]{2}/i.test(word)).length > 1
}

test('no component of a public page holds a sentence: the words are content', () => {
  expect(phrases).toEqual([])
})

/** Facts that several pages name, each with the one file that defines it. */
test.each([
  ['when the business began', /\b2019\b/, 'identity.ts'],
  ['how many projects there were', /\b500(\+| projects)|five hundred/i, 'claims.ts'],
  ['how many businesses there are', /\b200\+/, 'claims.ts'],
  ['the hours of an answer', /(?<!to )\b24[ -]hours?\b|within 2 hours|\bhours = \{/, 'hours.ts'],
  ['the length of the free call', /\b30[ -]minutes?\b|callMinutes = /, 'terms.ts'],
  ['the deposit', /\b50%/, 'terms.ts'],
  ['the accuracy', /\b99%/, 'terms.ts'],
  ['the free correction', /'30 days'/, 'terms.ts'],
  ['how long analytics data is kept', /\b26 months/, 'terms.ts'],
  ['the reach of the real estate story', /\b7 minutes/, 'case-study-real-estate.ts'],
  ['the revenue of the social media story', /\$20K/, 'case-study-social-media.ts'],
  ['the pages of the local story', /\b500 (local )?pages|pages = '500'/, 'case-study-local-pages.ts'],
])('%s is written down once', (_fact, figure, file) => {
  expect(linesWith(figure).map((place) => place.split(':')[0])).toEqual([`${CONTENT}/${file}`])
})

test('no price is written in words beside the one that is counted with', () => {
  expect(linesWith(/(?<!Under )\$(500|600|800|1,000|1,200|1,500|2,000)\b(?! to)/)).toEqual([
    expect.stringContaining("terms.ts:   enterprise: '$2,000-$10,000+'"),
  ])
})

/** Lines of the content and of the components with a figure, without comments. */
function linesWith(figure: RegExp): string[] {
  const content = globSync(`${CONTENT}/**/*.{ts,md}`)
    // A post is a text of its day, and may name years.
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith(`${CONTENT}/posts/`))
    .map((file) => ({ file, text: readFileSync(file, 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '') }))
  const components = code.filter(({ file }) => PUBLIC_PAGE.test(file))
  return [...content, ...components].flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter((line) => figure.test(line))
      .map((line) => `${file}: ${line}`),
  )
}
