import { expect, test } from 'vitest'
import { viewText, withChanges } from './view.ts'

const view = (query: string) => new URLSearchParams(query)

test('another search or order begins at the first page; opening an enquiry keeps the page', () => {
  expect(withChanges(view('q=ada&cursor=abc'), { sort: 'name' })).toBe('?q=ada&sort=name')
  expect(withChanges(view('q=ada&cursor=abc'), { q: '' })).toBe('?')
  expect(withChanges(view('q=ada&cursor=abc'), { contact: '1' })).toBe('?q=ada&cursor=abc&contact=1')
  expect(withChanges(view('cursor=abc&contact=1'), { contact: undefined })).toBe('?cursor=abc')
  expect(withChanges(view('q=ada'), { cursor: 'def' })).toBe('?q=ada&cursor=def')
})

test('opening a person keeps the page, too', () => {
  expect(withChanges(view('cursor=abc'), { user: '1' })).toBe('?cursor=abc&user=1')
  expect(withChanges(view('cursor=abc&user=1'), { user: undefined })).toBe('?cursor=abc')
})

test('codes of the audit log read as words', () => {
  expect(viewText('api_key_made')).toBe('API key created')
  expect(viewText('recovery_codes_made')).toBe('Recovery codes created')
  expect(viewText('dataset_api_opened')).toBe('Dataset API opened')
  expect(viewText('user_signedup')).toBe('Signed up')
  expect(viewText('order_cancel_asked')).toBe('Order cancellation requested')
  expect(viewText('order_cancel_declined')).toBe('Order cancellation declined')
  expect(viewText('refund_asked')).toBe('Refund requested')
})
