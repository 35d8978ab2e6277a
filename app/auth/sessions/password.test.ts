import { expect, test } from 'vitest'
import { checkNewPassword, isShortForStaff, weaknesses } from './password.server.ts'

const refusal = (password: string, role: 'customer' | 'staff' | 'owner' = 'customer') =>
  checkNewPassword(password, role).then(
    () => undefined,
    (error: unknown) => error,
  )

test('six characters are enough for a customer, five are not', async () => {
  expect(await refusal('q8#zLm')).toBeUndefined()
  expect(await refusal('q8#zL')).toMatchObject({
    status: 422,
    data: 'Password should be at least 6 characters.',
    extra: { code: 'weak_password', reasons: ['length'] },
  })
})

test.each(['staff', 'owner'] as const)('%s needs twelve characters', async (role) => {
  expect(await refusal('elevenchars', role)).toMatchObject({ data: 'Password should be at least 12 characters.' })
  expect(await refusal('twelve chars', role)).toBeUndefined()
})

test('the most common passwords are refused in any capitalization, and the refusal lists every reason', async () => {
  expect(await refusal('PassWord')).toMatchObject({ extra: { code: 'weak_password', reasons: ['pwned'] } })
  expect(await refusal('password', 'owner')).toMatchObject({ extra: { reasons: ['length', 'pwned'] } })
})

test('a password of 128 characters of any script passes, one more is refused', async () => {
  for (const character of ['x', 'ü', 'u\u0308', 'ж', '密', '😀']) {
    expect(await refusal(character.repeat(128))).toBeUndefined()
    expect(await refusal(character.repeat(129))).toMatchObject({
      data: 'Password cannot be longer than 128 characters',
      extra: { code: 'validation_failed' },
    })
  }
})

test('the length counts characters, not bytes', async () => {
  for (const short of ['密码', '😀😀😀', 'e\u0301'.repeat(5), '密码密码密']) {
    expect(await refusal(short)).toMatchObject({ extra: { code: 'weak_password', reasons: ['length'] } })
  }
  expect(await refusal('密码密码密码')).toBeUndefined()
})

test('a megabyte of accents is refused as quickly as any password that is too long', async () => {
  expect(await refusal(`a${'\u0316\u0300'.repeat(250_000)}`)).toMatchObject({ extra: { code: 'validation_failed' } })
})

const ada = {
  email: 'ada.lovelace@analytical-engines.co.uk',
  phone: '4915112345678',
  userMetadata: { first_name: 'Ada', last_name: 'Lovelace' },
}

test.each([
  'winnow2024!',
  'W-I-N-N-O-W-1',
  'winnowwinnow',
  'Winnow.admin1',
  'ada.lovelace@analytical-engines.co.uk',
  'ADA.LOVELACE',
  'Lovelace1815',
  '!!Ada_Lovelace!!',
  'analytical-engines',
  'Engines1!',
  '+49 1511 2345678',
  'Lövelace99',
])('%s contains only the site’s name, or its owner’s address or name, and is refused', async (password) => {
  const refused = await checkNewPassword(password, 'customer', ada).catch((error: unknown) => error)
  expect(refused).toMatchObject({
    status: 422,
    data: 'Choose a password that is not based on your name, your address or the name of this site.',
    extra: { code: 'weak_password', reasons: ['pwned'] },
  })
})

test.each(['winnow the chaff', 'my lovelace poem', 'ada 98765432 x', 'correct horse', 'engine room 4', '83947261', 'admin of plants'])(
  '%s has other words as well, and passes',
  async (password) => {
    await expect(checkNewPassword(password, 'customer', ada)).resolves.toBeUndefined()
  },
)

test('a password is marked as short for the current role of its user, and for a later one', () => {
  expect([weaknesses('q8#zLm', 'customer'), weaknesses('q8#zLm', 'staff'), weaknesses('q8#zLmq8#zLm', 'staff')]).toEqual([
    [],
    ['length'],
    [],
  ])
  expect([isShortForStaff('q8#zLm'), isShortForStaff('q8#zLmq8#zLm')]).toEqual([true, false])
})
