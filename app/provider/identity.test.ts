import { expect, test } from 'vitest'
import { renderLetter } from '#app/mail/render.server.tsx'
import { identityLetter } from './identity.email.tsx'

test.each([
  [true, 'signing in with GitHub was added to your account'],
  [false, 'signing in with GitHub was removed from your account'],
])('the email about another way to sign in calls it by its name (added: %s)', (isAdded, sentence) => {
  const { kind, data } = identityLetter('ada@example.com', { at: '2026-03-01T12:00:00.000Z', provider: 'github', isAdded })
  expect(renderLetter(kind, JSON.stringify(data)).text.replaceAll(/\s+/g, ' ')).toContain(sentence)
})
