import { afterEach, expect, test } from 'vitest'
import { ApiError } from '#app/platform/browser/api.ts'
import { toProblem } from '#app/platform/errors/problem.ts'
import { dismissToast, listToasts } from '#app/ui/toast.ts'
import { showFailure } from './tell-failure.ts'

afterEach(dismissToast)

function shownOf(detail: string, errors?: Record<string, string>): string | undefined {
  showFailure('Not saved', new ApiError(422, '', toProblem(422, 'Unprocessable', detail, errors && { errors })))
  return listToasts()[0]?.description
}

test('a refused save says all that has to be changed, once, as long as it is short', () => {
  const errors = { name: 'Name is required', email: 'Is that an address?', copy: 'Name is required' }
  expect(shownOf('Name is required', errors)).toBe('Name is required. Is that an address?')
  const long = Object.fromEntries(['a', 'b', 'c'].map((key) => [key, `${key} ${'must be shorter '.repeat(6)}`.trim()]))
  expect(shownOf(long['a'] ?? '', long)).toBe(long['a'])
})

test('a refusal with a sentence of its own keeps it', () => {
  expect(shownOf('At most $5 can be refunded: the rest is disputed.', { amount: 'At most $5', reason: 'Enter a reason' })).toBe(
    'At most $5 can be refunded: the rest is disputed.',
  )
  expect(shownOf('The order has ended.')).toBe('The order has ended.')
})
