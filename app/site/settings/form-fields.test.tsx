import { expect, test } from 'vitest'
import { isChangedAt } from '#app/ui/admin/use-edit-form.ts'
import { showDashboard, wordsOf } from '#test/dashboard.tsx'
import { FormFields, numberOf } from './form-fields.tsx'
import type { FormNode } from './settings.ts'

test('a number stays as it is typed until it is a whole one, so that no key changes the one before', () => {
  expect(['14', '0', '-5', ''].map(numberOf)).toEqual([14, 0, -5, undefined])
  for (const typed of ['1.', '1.5', '1,000', '14 days', '1e3', '0x10', '007']) expect(numberOf(typed)).toBe(typed)
})

test('editing one entry of a list keeps the errors of the others, and moving or removing one drops them', () => {
  const [first, second] = [{ country: 'DE', rate: '' }, { country: 'FR' }]
  const before = { rates: [first, second], days: 14 }
  const isChanged = (path: string, after: object) => isChangedAt(path.split('.'), before, after)
  const edited = { ...before, rates: [{ ...first, rate: '19' }, second] }
  expect(isChanged('rates.0.rate', edited)).toBe(true)
  expect(isChanged('rates.0.country', edited)).toBe(false)
  expect(isChanged('rates.1.rate', edited)).toBe(false)
  expect(isChanged('days', edited)).toBe(false)
  for (const rates of [[second], [second, first], [first, second, {}]]) expect(isChanged('rates.1.rate', { ...before, rates })).toBe(true)
})

test('editing the value of a name with dots drops its error and keeps that of another name', () => {
  const before = { gate: { leastFill: { 'price.net': 2, 'price.gross': 2 } } }
  const after = { gate: { leastFill: { 'price.net': 0.5, 'price.gross': 2 } } }
  const isChanged = (name: string) => isChangedAt(`gate.leastFill.${name}`.split('.'), before, after)
  expect(['price.net', 'price.gross', 'price.vat'].map(isChanged)).toEqual([true, false, false])
})

test('an entry is folded and told by its fields; a new or a wrong one is open', () => {
  const rule: FormNode = {
    type: 'object',
    title: 'Rule',
    'x-told': ['country', 'rate'],
    properties: {
      country: { type: 'string', title: 'Country', 'x-kind': 'country' },
      rate: { type: 'string', title: 'Rate', 'x-unit': '%' },
    },
  }
  const form: FormNode = { type: 'object', properties: { rates: { type: 'array', title: 'Tax table', items: rule } } }
  const value = { rates: [{ country: 'DE', rate: '19' }, {}, { country: 'FR', rate: 'x' }] }
  const errors = { 'rates.2.rate': 'A rate has the form 19 or 8.1.' }
  const html = showDashboard(<FormFields node={form} value={value} path="" errors={errors} change={() => undefined} />)
  const folds = [...html.matchAll(/<details( open="")?[^>]*><summary[^>]*>(.*?)<\/summary>/gs)]
  expect(folds.map(([, open, summary]) => [wordsOf(summary ?? ''), open !== undefined])).toEqual([
    ['Rule 1: Germany, 19%', false],
    ['Rule 2', true],
    ['Rule 3: France, x%', true],
  ])
})
