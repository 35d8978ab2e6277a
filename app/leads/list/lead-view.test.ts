import { expect, test } from 'vitest'
import { leadListUrl, tabOf, toTab } from './lead-view.ts'

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

test('the list request has the filters of the URL, without the parameters of the page', () => {
  expect(leadListUrl('/api/contacts', view('tab=contacts&q=ada&filter=waiting&contact=1&x=y'))).toBe(
    '/api/contacts?q=ada&filter=waiting&limit=25',
  )
})
