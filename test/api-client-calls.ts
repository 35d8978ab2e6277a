import { operationIdOf } from '#app/data-api/docs/operation.ts'

/** One call of a program: address and body are source code that may use `slug`, `product` and `post`. */
export type ClientCall = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  as?: 'key'
  in?: string
  query?: string
  body?: string
  text?: true
}

const V1 = '/api/v1/datasets/{slug}'
const bySlug = { as: 'key', in: '{ slug }' } as const
const product = { in: '{ id: product }' } as const
const ofPost = { in: '{ idOrSlug: post }' } as const
const postBody = `{ title: 'By client', slug: post, excerpt: 'Short', content: 'Words', published: false }`

/** The calls of the reference, and of the pages of the product. */
export const clientCalls: ClientCall[] = [
  { method: 'GET', path: '/api/v1/datasets', as: 'key' },
  { method: 'GET', path: V1, ...bySlug },
  { method: 'GET', path: `${V1}/schema`, ...bySlug },
  { method: 'GET', path: `${V1}/schema`, ...bySlug, query: '{ version: 1 }' },
  { method: 'GET', path: `${V1}/rows`, ...bySlug },
  { method: 'GET', path: `${V1}/rows`, ...bySlug, query: '{ limit: 1, version: 1 }' },
  { method: 'GET', path: `${V1}/rows`, ...bySlug, query: `{ select: 'shop,price', sort: '-price' }` },
  { method: 'GET', path: `${V1}/rows`, ...bySlug, query: `{ select: ['shop'], limit: 2, FILTERS }` },
  { method: 'GET', path: `${V1}/rows`, ...bySlug, query: `{ format: 'csv', raw: '1' }`, text: true },
  { method: 'GET', path: `${V1}/rows`, ...bySlug, query: `{ format: 'parquet' }`, text: true },
  { method: 'GET', path: `${V1}/changes`, ...bySlug, query: '{ since: 1 }' },
  { method: 'GET', path: `${V1}/changes`, ...bySlug, query: '{ since: 1, limit: 5, version: 2 }' },
  { method: 'GET', path: `${V1}/download`, ...bySlug, query: `{ format: 'original' }`, text: true },
  { method: 'GET', path: `${V1}/download`, ...bySlug, query: `{ format: 'parquet', version: 1 }`, text: true },
  { method: 'GET', path: '/api/keys' },
  { method: 'POST', path: '/api/keys', body: `{ name: 'By client' }` },
  { method: 'GET', path: '/api/data-products' },
  { method: 'GET', path: '/api/data-products/{idOrSlug}', in: '{ idOrSlug: slug }' },
  { method: 'GET', path: '/api/data-products/{id}/manifest', ...product },
  { method: 'GET', path: '/api/data-products/{id}/own-access', ...product },
  { method: 'GET', path: '/api/data-products/{id}/count', ...product, query: '{ FILTERS }' },
  { method: 'POST', path: '/api/data-products/{id}/download', ...product, body: `{ downloadType: 'api' }` },
  { method: 'POST', path: '/api/data-products/{id}/query', ...product, body: `{ sql: 'SELECT count(*) AS rows FROM data' }` },
  { method: 'GET', path: '/api/data-products/{id}/versions', ...product },
  { method: 'GET', path: '/api/data-products/{id}/entitlements', ...product },
  { method: 'GET', path: '/api/admin/data-products' },
  { method: 'GET', path: '/api/user/downloads' },
  { method: 'GET', path: '/api/product-requests' },
  { method: 'POST', path: '/api/blog', body: postBody },
  { method: 'GET', path: '/api/blog', query: '{ page: 1, limit: 5 }' },
  { method: 'GET', path: '/api/blog/{idOrSlug}', ...ofPost },
  { method: 'PUT', path: '/api/blog/{idOrSlug}', ...ofPost, body: postBody },
  { method: 'DELETE', path: '/api/blog/{idOrSlug}', ...ofPost },
  { method: 'GET', path: '/api/images', query: '{ limit: 3 }' },
  { method: 'GET', path: '/api/redirects' },
  { method: 'GET', path: '/api/redirects/resolve', query: `{ path: '/old' }` },
  { method: 'GET', path: '/api/missing-paths' },
  { method: 'GET', path: '/api/contacts', query: '{ limit: 5 }' },
  { method: 'GET', path: '/api/leads/summary' },
  { method: 'GET', path: '/api/letters' },
  { method: 'GET', path: '/api/admin/users' },
  { method: 'GET', path: '/api/admin/audit' },
  { method: 'GET', path: '/api/account' },
  { method: 'GET', path: '/api/account/sessions' },
  { method: 'GET', path: '/api/workspace' },
  { method: 'GET', path: '/auth/v1/settings' },
  { method: 'GET', path: '/auth/v1/.well-known/jwks.json' },
  { method: 'GET', path: '/healthz' },
]

const FILTERS = `filters: { 'price[gte]': '1' }`

/** A program that makes all calls in order with the client of `openapi-typescript`. */
export function openapiFetchProgram(): string {
  const calls = clientCalls.map(({ method, path, as, in: inPath, query, body, text }) => {
    const params = [inPath && `path: ${inPath}`, query && `query: ${query.replace('FILTERS', FILTERS)}`].filter(Boolean).join(', ')
    const options = [params && `params: { ${params} }`, body && `body: ${body}`, text && `parseAs: 'text'`].filter(Boolean).join(', ')
    return line(method, path, `${as === 'key' ? 'byKey' : 'bySession'}.${method}('${path}'${options && `, { ${options} }`})`)
  })
  const clients = ['byKey', 'bySession'].map(
    (name) =>
      `const ${name} = createClient<paths>({ baseUrl: site, headers: ${name}Headers, querySerializer: { object: { style: 'form', explode: true } } })`,
  )
  return program([`import createClient from 'openapi-fetch'`, `import type { paths } from './schema.ts'`], clients, calls)
}

/** The same with the client of `@hey-api/openapi-ts`. */
export function heyApiProgram(): string {
  const calls = clientCalls.map(({ method, path, as, in: inPath, query, body, text }) => {
    const options = [
      `client: ${as === 'key' ? 'byKey' : 'bySession'}`,
      inPath && `path: ${inPath}`,
      query && `query: ${query.replace('FILTERS', FILTERS)}`,
      body && `body: ${body}`,
      text && `parseAs: 'text'`,
    ]
    return line(method, path, `sdk.${operationIdOf(method, path)}({ ${options.filter(Boolean).join(', ')} })`)
  })
  const clients = ['byKey', 'bySession'].map((name) => `const ${name} = createClient({ baseUrl: site, headers: ${name}Headers })`)
  return program([`import { createClient } from './client/client/index.ts'`, `import * as sdk from './client/sdk.gen.ts'`], clients, calls)
}

function line(method: string, path: string, call: string): string {
  return `check('${method} ${path}', await ${call})`
}

function program(imports: string[], clients: string[], calls: string[]): string {
  return [
    ...imports,
    `const { site, slug, product, post, byKeyHeaders, bySessionHeaders } = {`,
    `  site: process.env['SITE'] ?? '', slug: process.env['SLUG'] ?? '', product: process.env['PRODUCT'] ?? '', post: process.env['POST'] ?? '',`,
    `  byKeyHeaders: { authorization: process.env['KEY'] ?? '' }, bySessionHeaders: { cookie: process.env['COOKIE'] ?? '', 'sec-fetch-site': 'same-origin' },`,
    `}`,
    ...clients,
    'let done = 0',
    'function check(call: string, { error, response }: { error?: unknown; response?: Response }) {',
    '  if (error !== undefined || !response?.ok) throw new Error(`${call}: ${response?.status} ${JSON.stringify(error)}`)',
    '  done += 1',
    '}',
    ...calls,
    'console.log(done)',
    '',
  ].join('\n')
}
