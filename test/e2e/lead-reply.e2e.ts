import type { Page } from '@playwright/test'
import { z } from 'zod'
import { faultsOf } from './faults.ts'
import { expect, test } from './fixtures.ts'
import { enterAsOwner } from './steps.ts'

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
    personal: z.object({ fromName: z.string(), inReplyTo: z.string(), files: z.array(z.object({ name: z.string() })) }).optional(),
  }),
)

test.use({ owned: true })

test('a lead is answered with a template and a file: a missing field is refused, undo gives it back, the email ends the clocks', async ({
  page,
}) => {
  await enterAsOwner(page)
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
})

async function emailTo(page: Page, address: string, subject: RegExp) {
  const emails = inbox.parse(await (await page.request.get('/dev/mail.json')).json())
  const email = emails.find((each) => each.to === address && subject.test(each.subject ?? ''))
  if (!email) throw new Error(`No email to ${address} has such a subject.`)
  return email
}
