import { describe, expect, test } from 'vitest'
import { transaction } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { Action } from './layout.tsx'
import { defineEmail } from './email.server.ts'
import { listEmails } from './emails.server.ts'
import { enqueueEmail } from './outbox.server.ts'

const LINK = 'http://localhost:3000/confirm?token=abc&type=signup'
const confirmation = defineEmail<{ link: string; name: string }>(
  'inbox-confirmation',
  ({ link, name }) => ({ subject: `Confirm, ${name}`, preview: '', body: <Action href={link}>Confirm your address</Action> }),
  { secret: true },
)

let id = ''

const app = await startApp()

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers: { host: 'localhost:3000', ...headers } })

describe('happy', () => {
  test('an empty inbox says what will be in it', async () => {
    const reply = await get('/dev/mail')
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toContain('No email yet')
  })

  test('a newcomer finds the email and can follow its link', async () => {
    await transaction((trx) => enqueueEmail(trx, confirmation('ada@example.com', { link: LINK, name: 'Ada' })))
    id = (await listEmails({ limit: 1 }))[0]?.id ?? ''
    const { body } = await get('/dev/mail')
    expect(body).toContain('Confirm, Ada')
    expect(body).toContain('ada@example.com')
    expect(body).toContain(`href="${LINK.replace('&', '&amp;')}"`)
    expect(body).toContain(`src="/dev/mail/${id}"`)
  })

  test('programs read the same as JSON', async () => {
    const emails = (await get('/dev/mail.json')).json()
    expect(emails).toMatchObject([{ id, to: 'ada@example.com', subject: 'Confirm, Ada', state: 'waiting' }])
    expect(emails[0].text).toContain(LINK)
  })

  test('a page that looks for new emails by itself does so without script', async () => {
    expect((await get('/dev/mail?auto')).body).toContain('<meta http-equiv="refresh" content="4"/>')
    expect((await get('/dev/mail')).body).not.toContain('http-equiv="refresh"')
  })
})

describe('error', () => {
  test('an unknown email is not found', async () => {
    expect((await get('/dev/mail/0198a6a0-0000-7000-8000-000000000000')).statusCode).toBe(404)
  })

  test('an unknown email in the list’s address shows the newest', async () => {
    expect((await get('/dev/mail?letter=nonsense')).body).toContain('Confirm, Ada')
  })
})

describe('security', () => {
  const places = () => ['/dev/mail', '/dev/mail.json', `/dev/mail/${id}`]

  test('nothing of it is kept or indexed, and an email can run no script', async () => {
    for (const place of places()) {
      const { headers } = await get(place)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    }
    const { headers } = await get(`/dev/mail/${id}`)
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/)
    expect(headers['content-security-policy']).not.toContain('script-src')
  })

  test('a foreign name for this machine, and anyone behind a proxy, finds nothing', async () => {
    const strangers: Record<string, string>[] = [
      { host: 'evil.example' },
      { host: 'localhost.evil.example:3000' },
      { 'x-forwarded-for': '203.0.113.7' },
      { via: '1.1 proxy' },
    ]
    for (const headers of strangers) {
      for (const place of places()) expect([place, headers, (await get(place, headers)).statusCode]).toEqual([place, headers, 404])
    }
  })

  test('what a stranger typed is text on this page as well', async () => {
    await transaction((trx) => enqueueEmail(trx, confirmation('eve@example.com', { link: LINK, name: '<img src=x onerror=alert(1)>' })))
    const { body } = await get('/dev/mail')
    expect(body).not.toContain('<img src=x')
  })
})
