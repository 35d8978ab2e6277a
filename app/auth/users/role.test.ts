import { expect, test } from 'vitest'
import { roleOf } from './role.ts'

test('the three roles are read from data that users cannot write', () => {
  expect(['customer', 'staff', 'owner'].map((role) => roleOf({ role }))).toEqual(['customer', 'staff', 'owner'])
})

test.each([undefined, null, '', 'owner', [], ['owner'], {}, { role: 'Owner' }, { role: 'admin' }, { role: ['owner'] }, { roles: 'owner' }])(
  'other data means the role of a customer: %j',
  (appMetadata) => expect(roleOf(appMetadata)).toBe('customer'),
)
