import { describe, expect, test } from 'vitest'
import type { Email } from '#app/mail/email.server.ts'
import { renderEmail } from '#app/mail/render.server.tsx'
import { phoneCodeEmail } from '#app/mail/phone-code.email.tsx'
import { emailChangedEmail, phoneChangedEmail } from './address-changed.email.tsx'
import { newAddressEmail, oldAddressEmail } from './email-change.email.tsx'
import { reauthenticationEmail } from './reauthentication.email.tsx'
import { signInEmail } from './sign-in.email.tsx'

const [to, code, link] = ['ada@example.com', '135790', 'A'.repeat(43)]
const newEmail = 'new<b>@example.com'
const at = '2026-03-01T12:00:00.000Z'
const written = ({ kind, data }: Email) => renderEmail(kind, JSON.stringify(data))

const emails: [email: Email, says: string, leads: string | undefined][] = [
  [signInEmail(to, { link, code, type: 'magiclink' }), code, `http://localhost:3000/login/link?token_hash=${link}&type=magiclink`],
  [
    signInEmail(to, { link, code, type: 'signup', target: 'https://app.example/' }),
    code,
    `http://localhost:3000/auth/v1/verify?token=${link}&type=signup&redirect_to=https%3A%2F%2Fapp.example%2F`,
  ],
  [
    newAddressEmail(to, { link: `pkce_${link}`, code, newEmail }),
    code,
    `http://localhost:3000/auth/v1/verify?token=pkce_${link}&type=email_change`,
  ],
  [oldAddressEmail(to, { link, code, newEmail }), code, `http://localhost:3000/login/new-address?token_hash=${link}&type=email_change`],
  [reauthenticationEmail(to, { code }), code, undefined],
  [phoneCodeEmail(to, { phone: '4915112345678', code }), code, undefined],
  [emailChangedEmail(to, { at }), 'March 1, 2026', undefined],
  [phoneChangedEmail(to, { at }), 'March 1, 2026', undefined],
]

describe('happy', () => {
  test.each(emails)('$kind has its content and its link in both parts', async (email, says, leads) => {
    const { html, text } = await written(email)
    expect(text).toContain(says)
    expect(html).toContain(says)
    expect(/<(http:[^>]*\?[^>]*)>/.exec(text)?.[1]).toBe(leads)
    expect(/href="(http:[^"]*\?[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')).toBe(leads)
  })
})

describe('security', () => {
  test.each(emails)('$kind does not show its code in the subject or the preview', async (email) => {
    const { subject, html } = await written(email)
    expect(subject).not.toContain(code)
    expect(html.match(new RegExp(code, 'g'))?.length ?? 0).toBeLessThanOrEqual(1)
    expect([email.kind, email.secret]).toEqual([email.kind, JSON.stringify(email.data).includes(code)])
  })

  test('an address is escaped in emails', async () => {
    expect((await written(oldAddressEmail(to, { link, code, newEmail }))).html).not.toContain('<b>')
  })
})
