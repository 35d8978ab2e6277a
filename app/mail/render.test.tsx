import { expect, test } from 'vitest'
import { identity } from '#app/content/identity.ts'
import { Action, Facts, EmailHeading, Paragraph, Quote, TextLink } from './layout.tsx'
import { defineEmail } from './email.server.ts'
import { renderEmail } from './render.server.tsx'

type Sample = { name: string; company: string | null; url: string; message: string }

const sample = defineEmail<Sample>('sample', ({ name, company, url, message }) => ({
  subject: `We have your enquiry, ${name}`,
  preview: 'A person answers within 2 hours.',
  body: (
    <>
      <EmailHeading>We have your enquiry</EmailHeading>
      <Facts
        rows={[
          ['Reference', 'W-2026-0042'],
          ['Company', company],
          ['What you need', 'Price monitoring'],
        ]}
      />
      <Quote>{message}</Quote>
      <Action href={url}>Confirm your address</Action>
      <Paragraph>
        Not you? <TextLink href={url}>Tell us</TextLink>.
      </Paragraph>
    </>
  ),
}))

function written(data: Partial<Sample> = {}) {
  const { kind, data: facts } = sample('ada@example.com', {
    name: 'Ada',
    company: null,
    url: 'https://example.com/confirm?a=1&b=2',
    message: 'First line.\n\nSecond line.',
    ...data,
  })
  return renderEmail(kind, JSON.stringify(facts))
}

test('the plain text says what the page says, with every address to be seen and nothing left over', async () => {
  expect((await written()).text).toBe(`We have your enquiry

Reference      W-2026-0042
What you need  Price monitoring

> First line.
> 
> Second line.

Confirm your address <https://example.com/confirm?a=1&b=2>

Not you? Tell us <https://example.com/confirm?a=1&b=2>.

${identity.name}. ${identity.tagline}
http://localhost:3000 · ${identity.email}
`)
})

test('what a stranger typed is text, never markup', async () => {
  const { html, text } = await written({ name: '<b>Ada</b>', message: '<script>alert(1)</script> & "more"' })
  expect(html).not.toMatch(/<script|<b>/)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;')
  expect(html).toContain('<title>We have your enquiry, &lt;b&gt;Ada&lt;/b&gt;</title>')
  expect(text).toContain('> <script>alert(1)</script> & "more"')
})

test('Outlook gets the space around a button as wide spaces in comments, because it ignores the padding of links', async () => {
  const { html } = await written()
  const [, before, label, after] =
    /class="action"[^>]*><span>(.*?)<\/span><span[^>]*>(.*?)<\/span><span>(.*?)<\/span><\/a>/.exec(html) ?? []
  expect(label).toBe('Confirm your address')
  expect(before).toBe('<!--[if mso]><i style="mso-font-width:400%;mso-text-raise:22.5px" hidden>&#8202;&#8202;&#8202;</i><![endif]-->')
  expect(after).toBe('<!--[if mso]><i style="mso-font-width:400%" hidden>&#8202;&#8202;&#8202;&#8203;</i><![endif]-->')
})

test('a list of emails shows the preview, and nothing of the email after it', async () => {
  const { html, text } = await written()
  const [, hidden = ''] = /<div style="display:none[^>]*>(.*?)<\/div><\/div>/.exec(html) ?? []
  const [preview, filling = ''] = hidden.split('<div>')
  expect(preview).toBe('A person answers within 2 hours.')
  expect(filling.length).toBeGreaterThan(500)
  expect(filling).toMatch(/^[\u00A0\u200B-\u200D\uFEFF]+$/)
  expect(text).not.toContain(preview)
})

test('dark mode is declared, and every colour that it changes is one that the light email sets', async () => {
  const { html } = await written()
  expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
  expect(html).toContain('@media (prefers-color-scheme: dark)')
  const changed = [...html.matchAll(/^ {2}\.(\w+) \{/gm)].map(([, name]) => name)
  for (const name of changed) expect(html).toMatch(new RegExp(`class="[^"]*\\b${name}\\b`))
})

test('it carries nothing that a mail program blocks: no script, no picture, no foreign file', async () => {
  const { html } = await written()
  expect(html).not.toMatch(/<(script|img|link|iframe|object|form)\b|url\(|@import/)
})

test('an email that no part of the product has defined cannot be written', async () => {
  await expect(renderEmail('unheard-of', '{}')).rejects.toThrow('No email kind is called unheard-of.')
})
