import { expect, test } from 'vitest'
import { refusalOf, refuse } from './refusal.ts'

test('a refusal has the code, the status and the words that clients of the protocol compare', () => {
  expect(refusalOf('invalid_credentials')).toMatchObject({
    status: 400,
    data: 'Invalid login credentials',
    extra: { code: 'invalid_credentials' },
  })
  expect(refusalOf('session_not_found')).toMatchObject({ status: 403, extra: { code: 'session_not_found' } })
  expect(refusalOf('unexpected_failure')).toMatchObject({ status: 503 })
})

test('only session-ending refusals say "Invalid Refresh Token", because clients take it for the end of a session', () => {
  const ends = ['refresh_token_not_found', 'refresh_token_already_used', 'session_expired'] as const
  for (const code of ends) expect(refusalOf(code).data).toMatch(/^Invalid Refresh Token: /)
  for (const code of ['over_request_rate_limit', 'unexpected_failure', 'user_banned'] as const) {
    expect(refusalOf(code).data).not.toContain('Refresh Token')
  }
})

test('a refusal may have its own sentence, reasons and retry time', () => {
  expect(() => refuse('over_request_rate_limit', { sentence: 'Please wait.', retryAfter: 7, kind: 'unavailable' })).toThrow(
    expect.objectContaining({ status: 503, data: 'Please wait.', extra: { code: 'over_request_rate_limit', retryAfter: 7 } }),
  )
})
