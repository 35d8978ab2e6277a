import { expect, test } from 'vitest'
import { checkNewPassword, isShortForStaff, weaknesses } from './password.server.ts'

const refusal = (password: string, role: 'customer' | 'staff' | 'owner' = 'customer') =>
  checkNewPassword(password, role).then(
    () => undefined,
    (error: unknown) => error,
  )

test('six characters are enough for a customer, five are not (row 84)', async () => {
  expect(await refusal('q8#zLm')).toBeUndefined()
  expect(await refusal('q8#zL')).toMatchObject({
    status: 422,
    data: 'Password should be at least 6 characters.',
    extra: { code: 'weak_password', reasons: ['length'] },
  })
})

test.each(['staff', 'owner'] as const)('%s need twelve', async (role) => {
  expect(await refusal('elevenchars', role)).toMatchObject({ data: 'Password should be at least 12 characters.' })
  expect(await refusal('twelve chars', role)).toBeUndefined()
})

test('the commonest passwords are refused however they are capitalised, and every reason is told at once', async () => {
  expect(await refusal('PassWord')).toMatchObject({ extra: { code: 'weak_password', reasons: ['pwned'] } })
  expect(await refusal('password', 'owner')).toMatchObject({ extra: { reasons: ['length', 'pwned'] } })
})

test('72 bytes can be hashed as they are, one more is refused', async () => {
  expect(await refusal('ü'.repeat(36))).toBeUndefined()
  expect(await refusal(`${'ü'.repeat(36)}x`)).toMatchObject({
    data: 'Password cannot be longer than 72 characters',
    extra: { code: 'validation_failed' },
  })
})

test('a password is told to be short for the role that its owner has, and for the one that they may get', () => {
  expect([weaknesses('q8#zLm', 'customer'), weaknesses('q8#zLm', 'staff'), weaknesses('q8#zLmq8#zLm', 'staff')]).toEqual([
    [],
    ['length'],
    [],
  ])
  expect([isShortForStaff('q8#zLm'), isShortForStaff('q8#zLmq8#zLm')]).toEqual([true, false])
})
