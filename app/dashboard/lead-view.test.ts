import { expect, test } from 'vitest'
import { exportUrl, listUrl, tabOf, toTab, withChanges } from './lead-view.ts'

const view = (query: string) => new URLSearchParams(query)

test('the first tab is contacts, also when the address names one that is not there', () => {
  expect(tabOf(view(''))).toBe('contacts')
  expect(tabOf(view('tab=consultations'))).toBe('consultations')
  expect(tabOf(view('tab=secrets'))).toBe('contacts')
})

test('another search or order begins at the first page; opening an enquiry keeps the page', () => {
  expect(withChanges(view('q=ada&cursor=abc'), { sort: 'name' })).toBe('?q=ada&sort=name')
  expect(withChanges(view('q=ada&cursor=abc'), { q: '' })).toBe('?')
  expect(withChanges(view('q=ada&cursor=abc'), { contact: '1' })).toBe('?q=ada&cursor=abc&contact=1')
  expect(withChanges(view('cursor=abc&contact=1'), { contact: undefined })).toBe('?cursor=abc')
  expect(withChanges(view('q=ada'), { cursor: 'def' })).toBe('?q=ada&cursor=def')
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
