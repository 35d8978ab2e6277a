import { expect, test, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { OWNER_EMAIL: 'boss@example.com', RATE_LIMIT_EMAIL_SENT: '20' }))

import { spendStrangerEmail } from '#app/auth/tokens/mail-budget.server.ts'

test('the owner can sign up even while strangers of many networks have used up all emails to addresses without an account', async () => {
  const ask = (email: string, address: string) =>
    spendStrangerEmail('confirmation', email, { address, proof: true }).then(
      () => 'sent',
      () => 'refused',
    )
  const answers = []
  for (let at = 0; at < 30; at += 1) answers.push(await ask(`stranger-${at}@example.com`, `198.51.100.${at}`))
  expect(answers.filter((each) => each === 'sent')).toHaveLength(10)
  expect(await ask('boss@example.com', '203.0.113.1')).toBe('sent')
})
