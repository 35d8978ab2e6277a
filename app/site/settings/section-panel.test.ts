import { expect, test } from 'vitest'
import { differencesOf } from './section-panel.tsx'
import { formNode } from './settings.ts'

test('two versions of a section differ in fields that have the names of the form', () => {
  const node = formNode.parse({ type: 'object', properties: { tagline: { type: 'string', title: 'Tagline' }, email: { type: 'string' } } })
  const mine = { tagline: 'Mine', email: 'same@example.com' }
  expect(differencesOf(node, mine, { ...mine, tagline: 'Theirs' })).toEqual([{ label: 'Tagline', mine: 'Mine', theirs: 'Theirs' }])
  expect(differencesOf(node, mine, { ...mine, email: 'other@example.com' })).toEqual([
    { label: 'email', mine: 'same@example.com', theirs: 'other@example.com' },
  ])
})
