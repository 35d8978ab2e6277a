import { describe, expect, test } from 'vitest'
import type { Letter } from '#app/mail/letter.server.ts'
import { renderLetter } from '#app/mail/render.server.tsx'
import { phoneCodeLetter } from '#app/sms/phone-code.email.tsx'
import { emailChangedLetter, phoneChangedLetter } from './address-changed.email.tsx'
import { newAddressLetter, oldAddressLetter } from './email-change.email.tsx'
import { reauthenticationLetter } from './reauthentication.email.tsx'
import { signInLetter } from './sign-in.email.tsx'

const [to, code, link] = ['ada@example.com', '135790', 'A'.repeat(43)]
const newEmail = 'new<b>@example.com'
const at = '2026-03-01T12:00:00.000Z'
const written = ({ kind, data }: Letter) => renderLetter(kind, JSON.stringify(data))

const letters: [letter: Letter, says: string, leads: string | undefined][] = [
  [signInLetter(to, { link, code, type: 'magiclink' }), code, `http://localhost:3000/login/link?token_hash=${link}&type=magiclink`],
  [
    signInLetter(to, { link, code, type: 'signup', target: 'https://app.example/' }),
    code,
    `http://localhost:3000/auth/v1/verify?token=${link}&type=signup&redirect_to=https%3A%2F%2Fapp.example%2F`,
  ],
  [
    newAddressLetter(to, { link: `pkce_${link}`, code, newEmail }),
    code,
    `http://localhost:3000/auth/v1/verify?token=pkce_${link}&type=email_change`,
  ],
  [oldAddressLetter(to, { link, code, newEmail }), code, `http://localhost:3000/login/new-address?token_hash=${link}&type=email_change`],
  [reauthenticationLetter(to, { code }), code, undefined],
  [phoneCodeLetter(to, { phone: '4915112345678', code }), code, undefined],
  [emailChangedLetter(to, { at }), 'March 1, 2026', undefined],
  [phoneChangedLetter(to, { at }), 'March 1, 2026', undefined],
]

describe('happy', () => {
  test.each(letters)('$kind says in both parts what matters, and leads where it should', (letter, says, leads) => {
    const { html, text } = written(letter)
    expect(text).toContain(says)
    expect(html).toContain(says)
    expect(/<(http:[^>]*\?[^>]*)>/.exec(text)?.[1]).toBe(leads)
    expect(/href="(http:[^"]*\?[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')).toBe(leads)
  })
})

describe('security', () => {
  test.each(letters)('$kind keeps its code out of what others read: its subject and its preview', (letter) => {
    const { subject, html } = written(letter)
    expect(subject).not.toContain(code)
    expect(html.match(new RegExp(code, 'g'))?.length ?? 0).toBeLessThanOrEqual(1)
    expect([letter.kind, letter.secret]).toEqual([letter.kind, JSON.stringify(letter.data).includes(code)])
  })

  test('an address is text in every letter', () => {
    expect(written(oldAddressLetter(to, { link, code, newEmail })).html).not.toContain('<b>')
  })
})
