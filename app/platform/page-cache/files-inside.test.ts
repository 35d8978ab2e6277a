import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { OPENING, withFilesInside } from './files-inside.server.ts'

const files: Record<string, string> = {
  '/assets/root.css': 'h1{color:red}',
  '/assets/home.css': "p::after{content:'$&'}",
  '/assets/islands.js': 'document.title="$1"',
  '/assets/odd.js': 'document.title="</script><script>alert(1)//"',
  '/assets/odd.css': 'p::after{content:"</style>"}',
}
const rules = '{"prerender":[]}'
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'"
const face = '<link rel="preload" href="/assets/a.woff2" as="font" type="font/woff2" crossorigin="anonymous"/>'
const page = (...names: string[]) =>
  `<head>${face}${names.map((name) => `<link rel="stylesheet" href="/assets/${name}.css"/>`).join('')}</head><body>text`
const rulesInside = `<script type="speculationrules">${rules}</script>`

async function put(html: string, headers: Record<string, string> = {}, status = 200) {
  const given = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, ...headers }
  const response = await withFilesInside(new Response(html, { headers: given, status }), (address) => files[address], rules)
  return { response, html: await response.text(), policy: response.headers.get('content-security-policy') }
}

function hash(text = '') {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

test('a sheet whose address ends with # is inside as well', async () => {
  const { html } = await put(page('root').replace('root.css', 'root.css#'))
  expect(html).toContain(`<style>${files['/assets/root.css']}</style>`)
  expect(html).not.toContain('rel="stylesheet"')
})

test('a page contains its style sheets, its script and its rules, and its policy allows only these', async () => {
  const given = `${page('root', 'home')}<script type="module" src="/assets/islands.js"></script></body>`
  const { response, html, policy: said } = await put(given, { 'x-more': 'kept' }, 203)
  const [root = '', home = '', script = ''] = Object.values(files)
  expect(html).toBe(
    `<head><script>${OPENING}</script><style>${root}</style><style>${home}</style></head><body>text<script type="module">${script}</script>${rulesInside}</body>`,
  )
  expect(said).toBe(
    policy
      .replace("style-src 'self'", `style-src 'self' ${hash(root)} ${hash(home)}`)
      .replace("script-src 'self'", `script-src 'self' ${hash(script)} ${hash(OPENING)} ${hash(rules)}`),
  )
  expect([response.status, response.headers.get('x-more')]).toEqual([203, 'kept'])
})

test('a page without a script gets none', async () => {
  const { html } = await put(`${page('root')}</body>`)
  expect(html).toBe(`<head><style>${files['/assets/root.css']}</style></head><body>text${rulesInside}</body>`)
})

test('a file that is not in memory stays a link, and then the fonts are still preloaded', async () => {
  const other = `${page('other')}<script type="module" src="/assets/other.js"></script></body>`
  const { html, policy: said } = await put(other)
  expect(html).toBe(other.replace('</body>', `${rulesInside}</body>`))
  expect(said).toBe(policy.replace("script-src 'self'", `script-src 'self' ${hash(rules)}`))
})

test('a file whose text would end its element stays a link', async () => {
  const odd = `${page('odd')}<script type="module" src="/assets/odd.js"></script></body>`
  expect((await put(odd)).html).toBe(odd.replace('</body>', `${rulesInside}</body>`))
})

test('a response that is not a page is unchanged', async () => {
  expect(await put(page('root'), { 'content-type': 'text/plain' })).toMatchObject({ html: page('root'), policy })
})
