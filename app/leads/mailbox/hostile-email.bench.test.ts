import rehypeParse from 'rehype-parse'
import { unified } from 'unified'
import { expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn } from '#test/factories.ts'
import { hostileEmails } from '#test/hostile-emails.ts'
import { ownText } from '#app/leads/reply/quoted.ts'
import { type MailboxPosition, receiveEmail } from './receive-email.server.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
const parser = unified().use(rehypeParse, { fragment: true })

type Node = ReturnType<typeof parser.parse>['children'][number]

const elements =
  /^(a|b|blockquote|br|caption|center|code|col|colgroup|dd|del|details|div|dl|dt|em|figcaption|figure|font|hr|i|img|ins|kbd|li|ol|p|pre|q|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul)$/
const harmless = /^(alt|width|height|colSpan|rowSpan|align|start|dataQuoted|open|rel|target)$/

/** Everything that could run or load something in the HTML for staff. */
function dangersIn(nodes: Node[]): string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'text') return []
    if (node.type !== 'element') return [node.type]
    const properties = Object.entries(node.properties).filter(
      ([name, value]) => !harmless.test(name) && !isSafeAddress(name, String(value)),
    )
    return [
      ...(elements.test(node.tagName) ? [] : [node.tagName]),
      ...properties.map(([name, value]) => `${name}=${String(value)}`),
      ...dangersIn(node.children),
    ]
  })
}

function isSafeAddress(name: string, value: string): boolean {
  if (name === 'href') return /^(https?:\/\/|mailto:|tel:)/i.test(value)
  if (name === 'dataInline') return /^[\da-f-]{36}$/.test(value)
  // Attached pictures, in the document that is shown.
  if (name === 'src') return /^data:image\/(png|jpeg|gif|webp);base64,[\w+/=]*$/.test(value)
  return name === 'dataRemoteSrc' && value.startsWith('https://')
}

test('of 200 hostile emails, none runs or loads anything, none stops the reader, and staff can read each', async () => {
  let position: MailboxPosition = { name: 'eve', uidValidity: 1, lastUid: 0 }
  await db.insertInto('mailboxes').values(position).execute()
  for (const [at, { bytes }] of hostileEmails.entries()) {
    position = await receiveEmail(position, { uid: at + 1, receivedAt: new Date(Date.UTC(2026, 10, 1, 0, at)), size: bytes.length, bytes })
  }
  const rows = await db.selectFrom('leadMessages').selectAll().orderBy('createdAt').execute()
  expect(rows).toHaveLength(hostileEmails.length)
  expect(hostileEmails.length).toBeGreaterThanOrEqual(200)

  const dangers = rows.flatMap(({ html }, at) =>
    dangersIn(parser.parse(html ?? '').children).map((danger) => `${hostileEmails[at]?.name}: ${danger}`),
  )
  expect(dangers).toEqual([])
  const unclean = rows.filter(({ subject, fromName, fromAddress, messageId }) =>
    [subject, fromName, fromAddress, messageId].some((text) => /[\r\n\0\u202A-\u202E]/.test(text)),
  )
  expect(unclean).toEqual([])
  expect(rows.filter(({ text, html }) => text.length > 200_000 || (html ?? '').length > 1_000_000).map(({ subject }) => subject)).toEqual(
    [],
  )

  const files = await db.selectFrom('leadFiles').selectAll().execute()
  expect(files.filter(({ name }) => name.length > 120 || /[\\/<>"\p{Cc}\u202E]|^\./u.test(name))).toEqual([])
  expect(files.find(({ name }) => name === 'picture.png')?.type).toBe('image/svg+xml')
  expect(files.find(({ name }) => name === 'invoice.pdf')?.type).toBe('application/vnd.microsoft.portable-executable')
  expect(files.find(({ name }) => name === 'macro.docx')?.type).toBe('application/vnd.ms-office.macros')

  for (const { id, text, html } of rows) {
    const reply = await app.inject({ url: `/api/lead-inbox/${id}`, headers: staff.headers })
    expect(reply.statusCode).toBe(200)
    expect(ownText(text).length).toBeLessThanOrEqual(text.length + 2)
    if (html === null) continue
    const shown = (await app.inject({ url: `/api/lead-messages/${id}/html`, headers: staff.headers })).body
    const [, body = ''] = shown.split('</head>')
    expect(shown.length).toBeLessThan(html.length + 17_000_000)
    expect(dangersIn(parser.parse(body).children)).toEqual([])
  }
  expect((await app.inject({ url: '/api/lead-inbox?limit=100', headers: staff.headers })).json().waiting).toBe(hostileEmails.length)
  expect(await db.selectFrom('contacts').select('id').execute()).toEqual([])
})
