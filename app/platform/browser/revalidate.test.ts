import { expect, test } from 'vitest'
import { onNewPath } from './revalidate.ts'

const asks = (from: string, to: string, formMethod?: 'POST') =>
  onNewPath({
    currentUrl: new URL(from, 'http://localhost'),
    nextUrl: new URL(to, 'http://localhost'),
    currentParams: {},
    nextParams: {},
    defaultShouldRevalidate: true,
    ...(formMethod && { formMethod }),
  })

test('another query of the same page asks the server for nothing more', () => {
  expect(asks('/dashboard', '/dashboard?q=ada')).toBe(false)
  expect(asks('/dashboard?page=1', '/dashboard?page=2')).toBe(false)
})

test('another page, a form that was sent, and a wish for everything afresh do', () => {
  expect(asks('/', '/dashboard')).toBe(true)
  expect(asks('/dashboard', '/dashboard?q=ada', 'POST')).toBe(true)
  expect(asks('/dashboard?q=ada', '/dashboard?q=ada')).toBe(true)
})
