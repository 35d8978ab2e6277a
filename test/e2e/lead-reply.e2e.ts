import type { Page } from '@playwright/test'
import { z } from 'zod'
import { type Dovecot, startDovecot } from '#test/dovecot.ts'
import { faultsOf } from './faults.ts'
import { expect, test as base } from './fixtures.ts'
import { signInAsOwner } from './steps.ts'

const grace = {
  form: 'home',
  name: 'Grace Hopper',
  email: 'grace@gmail.com',
  country: 'United States',
  problem: 'Port charges',
  message: 'We want to follow what 12 ports charge for a container, once a week, in dollars.',
}
const inbox = z.array(
  z.looseObject({
    to: z.string(),
    subject: z.string().nullable(),
    text: z.string().optional(),
    messageId: z.string().optional(),
    personal: z.object({ fromName: z.string(), inReplyTo: z.string(), files: z.array(z.object({ name: z.string() })) }).optional(),
  }),
)

// The installation reads the mailbox of an IMAP server.
const test = base.extend<{ dovecot: Dovecot }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from here which other fixtures are needed.
  dovecot: async ({}, use) => {
    const dovecot = await startDovecot()
    await use(dovecot)
    await dovecot.stop()
  },
  settings: async ({ dovecot }, use) => use({ IMAP_URL: dovecot.urlOf('ada') }),
})

test.use({ owned: true })

test('a lead is answered with a template and a file: a missing field is refused, undo gives it back, the email ends the clocks, and what comes back is read', async ({
  page,
  dovecot,
}) => {
  test.setTimeout(240_000)
  await signInAsOwner(page)
  await page.request.post('/api/contact', { data: grace, headers: { 'sec-fetch-site': 'same-origin' } })
  await page.goto('/leads')
  await page.getByRole('link', { name: 'Grace Hopper' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Grace Hopper' })).toBeVisible()
  await page.keyboard.press('r')
  const editor = page.getByRole('region', { name: 'Reply', exact: true })
  const text = editor.getByRole('textbox', { name: 'Email' })
  await expect(text).toBeFocused()
  await expect(editor).toContainText('No mail server is set up: emails wait, and you can read them at /dev/mail.')

  // The service is not known, so its field stays until a person fills it in.
  await editor.getByLabel('Template', { exact: true }).selectOption({ label: 'Follow-up' })
  await expect(text).toHaveValue(/^Hi Grace,\n\nI am following up .* \{\{service\}\}/)
  await expect(editor.getByRole('alert')).toContainText('No value for {{service}}.')
  await text.press('Control+Enter')
  await expect(editor.getByRole('button', { name: 'Send', exact: true })).toHaveAccessibleDescription(
    'Fill in or delete {{service}} first.',
  )
  const written = await text.inputValue()
  await text.fill(written.replace('{{service}}', '**port charges**'))
  await expect(editor.getByRole('alert')).toBeHidden()
  await editor
    .getByLabel('Attachment', { exact: true })
    .setInputFiles({ name: 'ports.csv', mimeType: 'text/csv', buffer: Buffer.from('port,usd') })
  await expect(editor.getByRole('link', { name: 'ports.csv' })).toBeVisible()
  await editor.getByRole('button', { name: 'Preview' }).click()
  await expect(editor.getByRole('region', { name: 'Preview' }).getByRole('strong')).toHaveText('port charges')
  expect(await faultsOf(page)).toEqual([])

  // Nothing typed is lost by a reload, nor by an undo.
  await page.reload()
  await expect(text).toHaveValue(/port charges/)
  await editor.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(text).toHaveValue(/port charges/)
  await expect(editor.getByRole('link', { name: 'ports.csv' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Timeline' })).not.toContainText('Email sent')

  await editor.getByRole('button', { name: 'Send', exact: true }).click()
  const scheduled = page.getByRole('region', { name: 'Scheduled emails' })
  await expect(scheduled).toContainText('Any news about')
  await expect(editor).toBeHidden()
  // The place of the editor's buttons is empty now: the page returns to the top, where the email is.
  await expect(page.getByRole('button', { name: 'Reply by email' })).toBeFocused()
  await expect(scheduled).toBeInViewport()
  await scheduled.getByRole('button', { name: 'Send now' }).click()
  await expect(scheduled).toBeHidden()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toContainText('Email sent')
  await expect(timeline).toContainText('In the outbox')
  await expect(timeline).toContainText('Stage: New → Acknowledged')
  await expect(timeline.getByRole('link', { name: 'ports.csv' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Reply deadlines' })).toContainText('Answered')
  expect(await faultsOf(page)).toEqual([])

  const email = await emailTo(page, grace.email, /Any news about/)
  expect(email.text).toContain('I am following up on my last email about port charges.')
  expect(email.personal).toMatchObject({
    fromName: 'Olive Owner',
    inReplyTo: expect.stringMatching(/^<enquiry\./),
    files: [{ name: 'ports.csv' }],
  })

  // The lead writes back. Nothing of other servers is loaded until someone asks.
  const sender = await dovecot.client('ada')
  const deliver = async (email: string) => void (await sender.append('INBOX', email))
  const foreign: string[] = []
  await page.route('https://pictures.example/**', async (route) => {
    foreign.push(route.request().url())
    await route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"/>' })
  })
  await deliver(replyOf(grace))
  const received = timeline.getByRole('listitem').filter({ hasText: 'Email received' })
  await expect(received).toContainText('Re: Any news')
  await expect(received.getByRole('link', { name: 'list.csv' })).toBeVisible()
  const frame = received.frameLocator('iframe')
  await expect(frame.getByText('It is 14 ports now.')).toBeVisible()
  await expect(frame.getByText('Hi Grace,')).toBeHidden()
  await frame.getByText('Quoted text').focus()
  await page.keyboard.press('Enter')
  await expect(frame.getByText('Hi Grace,')).toBeVisible()
  expect(foreign).toEqual([])
  await received.getByRole('button', { name: 'Load remote content' }).press('Enter')
  await expect.poll(() => foreign).toEqual(['https://pictures.example/map.png'])
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Axe is a script, and none runs in the frame of the email.
    expect(await faultsOf(page, { iframes: false })).toEqual([])
  }
  // The reply is told, and its notification is read where the lead is open.
  await expect
    .poll(async () => (await page.request.get('/api/notifications?kind=reply')).json())
    .toMatchObject({ items: [{ readAt: expect.any(String) }] })

  // An automatic reply is told to nobody; an email that came back marks the address, here and in the editor.
  await deliver(plain({ from: grace.email, subject: 'Out of office', headers: ['Auto-Submitted: auto-replied'], text: 'Back on Monday.' }))
  await expect(timeline.getByText('Automatic reply', { exact: true })).toBeVisible()
  await deliver(bounceOf(grace.email, email.messageId ?? ''))
  await expect(timeline.getByText('Came back', { exact: true })).toBeVisible()
  const person = page.getByRole('region', { name: 'Person' })
  await expect(person).toContainText(/This address rejected an email on .*: 550 5.1.1 no such user/)
  await page.keyboard.press('r')
  await expect(editor).toContainText('This address rejected an email')
  await expect(editor.getByRole('textbox', { name: 'Subject' })).toHaveValue('Re: Any news about your enquiry?')

  // Somebody else writes, and becomes a lead.
  await deliver(
    plain({
      from: 'Joan Clarke <joan@clarke.example>',
      subject: 'Prices of crosswords',
      text: lines('Can you follow them?', '', 'Joan', 'Clarke Crosswords Ltd'),
    }),
  )
  await page.goto('/leads/inbox')
  await page.getByRole('link', { name: /Joan Clarke.*Prices of crosswords/ }).press('Enter')
  const unknown = page.getByRole('article', { name: 'Prices of crosswords' })
  await expect(unknown).toContainText('Can you follow them?')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await faultsOf(page)).toEqual([])
  }
  await unknown.getByRole('button', { name: 'Make it a lead' }).press('Enter')
  const making = page.getByRole('dialog', { name: 'New lead' })
  await expect(making.getByLabel('Name')).toHaveValue('Joan Clarke')
  await expect(making.getByLabel('Email')).toHaveValue('joan@clarke.example')
  // Only a person knows whether the company of the signature is hers.
  await expect(making.getByLabel('Company')).toHaveValue('')
  await expect(making).toContainText('The signature says “Clarke Crosswords Ltd”.')
  expect(await faultsOf(page)).toEqual([])
  await making.getByRole('button', { name: 'Use it' }).press('Enter')
  await expect(making.getByLabel('Company')).toHaveValue('Clarke Crosswords Ltd')
  await making.getByRole('button', { name: 'Add lead' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Joan Clarke' })).toBeVisible()
  await expect(timeline).toContainText('Email received')
  await page.goto('/notifications')
  await expect(page.getByRole('main')).toContainText('Reply from Grace Hopper')
  await expect(page.getByRole('main')).toContainText(/Email about W-\w+ came back/)
  await expect(page.getByRole('main')).not.toContainText('Out of office')
  await sender.logout()
})

const lines = (...text: string[]) => text.join('\r\n')

function plain({ from, subject, text, headers = [] }: { from: string; subject: string; text: string; headers?: string[] }) {
  return lines(
    `From: ${from}`,
    'To: hello@localhost',
    `Subject: ${subject}`,
    `Message-ID: <${subject.length}@mail.example>`,
    ...headers,
    '',
    text,
  )
}

/** As a mail program writes it: formatted, with the earlier email below, a picture of another server and a file. */
function replyOf({ name, email }: { name: string; email: string }) {
  return lines(
    `From: ${name} <${email}>`,
    'To: hello@localhost',
    'Subject: Re: Any news about your enquiry?',
    'Message-ID: <reply@mail.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>It is <b>14 ports</b> now. The map: <img alt="Map" src="https://pictures.example/map.png"></p>',
    '<div class="gmail_quote">On Monday, Olive wrote:<blockquote>Hi Grace,<br>any news?</blockquote></div>',
    '--b',
    'Content-Type: text/csv; name="list.csv"',
    'Content-Disposition: attachment; filename="list.csv"',
    '',
    'port,usd',
    '--b--',
  )
}

function bounceOf(address: string, original: string) {
  return lines(
    'From: MAILER-DAEMON@relay.example',
    'To: hello@localhost',
    'Subject: Undelivered Mail Returned to Sender',
    'Message-ID: <bounce@relay.example>',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'I am sorry.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.example',
    '',
    `Final-Recipient: rfc822; ${address}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 no such user',
    '--b',
    'Content-Type: message/rfc822',
    '',
    `Message-ID: ${original}`,
    'Subject: Any news?',
    '',
    'Hello.',
    '--b--',
  )
}

async function emailTo(page: Page, address: string, subject: RegExp) {
  const emails = inbox.parse(await (await page.request.get('/dev/mail.json')).json())
  const email = emails.find((each) => each.to === address && subject.test(each.subject ?? ''))
  if (!email) throw new Error(`No email to ${address} has such a subject.`)
  return email
}
