import { expect, test } from 'vitest'
import { exportUrl, listUrl, tabOf, toTab } from './lead-view.ts'

const view = (query: string) => new URLSearchParams(query)

test('the first tab is contacts, also when the address names one that is not there', () => {
  expect(tabOf(view(''))).toBe('contacts')
  expect(tabOf(view('tab=consultations'))).toBe('consultations')
  expect(tabOf(view('tab=secrets'))).toBe('contacts')
})

test('another tab keeps nothing of the last one', () => {
  expect(toTab('contacts')).toBe('?')
  expect(toTab('quarantine')).toBe('?tab=quarantine')
})

test('the list is asked for what the address says, and for nothing that is only about the page', () => {
  expect(listUrl('/api/contacts', view('tab=contacts&q=ada&filter=waiting&contact=1&x=y'))).toBe(
    '/api/contacts?q=ada&filter=waiting&limit=25',
  )
})

test('an export has every row of the choice, not the page of it', () => {
  expect(exportUrl('/api/contacts', view(''))).toBe('/api/contacts.csv')
  expect(exportUrl('/api/contacts', view('q=ada&service=&sort=name&cursor=abc'))).toBe('/api/contacts.csv?q=ada&service=')
})
