import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { withStylesInside } from './styles-inside.server.ts'

const sheets: Record<string, string> = { '/assets/root.css': 'h1{color:red}', '/assets/home.css': "p::after{content:'&'}" }
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'"
const page = `<head><link rel="preload" href="/assets/a.woff2" as="font" type="font/woff2" crossorigin="anonymous"/><link rel="stylesheet" href="/assets/root.css"/><link rel="stylesheet" href="/assets/home.css"/></head>`

async function put(html: string, headers: Record<string, string> = {}, status = 200) {
  const given = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, ...headers }
  const response = await withStylesInside(new Response(html, { headers: given, status }), (address) => sheets[address])
  return { response, html: await response.text(), policy: response.headers.get('content-security-policy') }
}

test('a page carries its style sheets, and its policy lets in these and no others', async () => {
  const { response, html, policy: said } = await put(page, { 'x-more': 'kept' }, 203)
  const [root = '', home = ''] = Object.values(sheets)
  expect(html).toBe(`<head><style>${root}</style><style>${home}</style></head>`)
  const hash = (sheet: string) => `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`
  expect(said).toBe(policy.replace("style-src 'self'", `style-src 'self' ${hash(root)} ${hash(home)}`))
  expect([response.status, response.headers.get('x-more')]).toEqual([203, 'kept'])
})

test('a sheet that is not at hand stays a link, and then the faces are still asked for ahead', async () => {
  const other = page.replaceAll('/assets/', '/other/')
  expect(await put(other)).toMatchObject({ html: other, policy })
})

test('what is no page is left as it is', async () => {
  expect(await put(page, { 'content-type': 'text/plain' })).toMatchObject({ html: page, policy })
})
