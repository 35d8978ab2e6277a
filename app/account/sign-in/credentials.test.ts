import { expect, test } from 'vitest'
import { newPasswordForm, readFields, signInForm, signUpForm } from './credentials.ts'

const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  password: 'correct horse',
  confirmPassword: 'correct horse',
}
const errorsOf = (change: Partial<typeof ada>) => readFields(signUpForm, { ...ada, ...change }).errors

test('valid credentials are accepted, with the address in lower case', () => {
  expect(readFields(signUpForm, { ...ada, email: ' Ada@Example.com ' }).value).toMatchObject({ email: 'ada@example.com' })
  expect(readFields(signInForm, { email: ada.email, password: '123456' }).errors).toBeUndefined()
})

test('signing in wants an address and six characters', () => {
  for (const email of ['', 'ada', 'ada@', '@example.com', 'a b@example.com']) {
    expect(readFields(signInForm, { email, password: ada.password }).errors).toEqual({ email: 'Please enter a valid email address' })
  }
  expect(readFields(signInForm, { email: ada.email, password: '12345' }).errors).toEqual({
    password: 'Password must be at least 6 characters',
  })
  expect(readFields(signInForm, {}).errors).toEqual({
    email: 'Please enter a valid email address',
    password: 'Password must be at least 6 characters',
  })
})

test('a new password has six to 128 characters, as people count them', () => {
  const chosen = (password: string) => readFields(newPasswordForm, { password, confirmPassword: password }).errors
  for (const short of ['12345', '密码', '😀😀😀', 'e\u0301'.repeat(5)]) {
    expect([short, chosen(short)]).toEqual([short, { password: 'Password must be at least 6 characters' }])
  }
  for (const fine of ['密码密码密码', '😀'.repeat(128), 'e\u0301'.repeat(128)]) expect([fine, chosen(fine)]).toEqual([fine, undefined])
  expect(chosen('x'.repeat(129))).toEqual({ password: 'Password cannot be longer than 128 characters' })
})

test('signing up also wants both names', () => {
  expect(errorsOf({ firstName: ' ' })).toEqual({ firstName: 'First name is required' })
  expect(errorsOf({ lastName: '' })).toEqual({ lastName: 'Last name is required' })
  expect(errorsOf({ firstName: 'Ada\r\nbcc: x' })).toEqual({ firstName: 'This cannot have line breaks' })
})

test('the confirmation must be the same, and the error stands at the confirmation', () => {
  expect(errorsOf({ confirmPassword: 'correct house' })).toEqual({ confirmPassword: "Passwords don't match" })
  expect(readFields(newPasswordForm, { password: 'correct horse', confirmPassword: 'x' }).errors).toEqual({
    confirmPassword: "Passwords don't match",
  })
})
