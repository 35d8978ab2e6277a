import { expect, test } from 'vitest'
import { loginPath, noticeText } from './sign-in-texts.ts'

test('after signing up the page says where the next step is', () => {
  expect(noticeText('check-email')).toBe('Please check your email to confirm your account.')
})

test.each([null, '', 'Your account is locked, call 555-0100', 'constructor', '__proto__', 'toString'])(
  'an address cannot put words into its mouth: %j',
  (notice) => expect(noticeText(notice)).toBeUndefined(),
)

test('its address names what is to be said and where to go on, and nothing else', () => {
  expect(loginPath({})).toBe('/login')
  expect(loginPath({ mode: 'sign-up' })).toBe('/login?mode=sign-up')
  expect(loginPath({ notice: 'confirmed', next: '/blog?a=1&b=2' })).toBe('/login?notice=confirmed&next=%2Fblog%3Fa%3D1%26b%3D2')
})
