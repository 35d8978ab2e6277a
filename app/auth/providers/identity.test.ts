import { expect, test } from 'vitest'
import { renderEmail } from '#app/mail/render.server.tsx'
import { identityEmail } from '#app/auth/tokens/identity.email.tsx'

test.each([
  [true, 'GitHub sign-in was added to your account'],
  [false, 'GitHub sign-in was removed from your account'],
])('the email about a changed sign-in method shows its name (added: %s)', async (isAdded, sentence) => {
  const { kind, data } = identityEmail('ada@example.com', { at: '2026-03-01T12:00:00.000Z', provider: 'github', isAdded })
  const { text } = await renderEmail(kind, JSON.stringify(data))
  expect(text.replaceAll(/\s+/g, ' ')).toContain(sentence)
})
