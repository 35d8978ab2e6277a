import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { newId } from '#app/platform/database/db.server.ts'
import { listEndpoints, startEndpoints } from '#test/app.ts'
import type { OpenApi } from './operation.ts'

const app = await startEndpoints()
const answer = await app.inject({ url: '/api/openapi.json' })
const described: OpenApi = answer.json()
const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)

test('one description of the whole product is made once, and sent again only when it is another', async () => {
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', etag: expect.stringMatching(/^"[\w-]{22}"$/) })
  const again = await app.inject({ url: '/api/openapi.json', headers: { 'if-none-match': String(answer.headers.etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('the description keeps every recommended rule of OpenAPI 3.1', async () => {
  // The linter's rules reject a test machine's address. Some endpoints only redirect a browser.
  const config = await createConfig({ extends: ['recommended'], rules: { 'operation-2xx-response': 'off' } })
  const source = JSON.stringify({ ...described, servers: [{ url: 'https://winnow.test' }] })
  const problems = await lintFromString({ source, config })
  expect(problems.map(({ ruleId, severity, message, location }) => [ruleId, severity, message, location[0]?.pointer])).toEqual([])
})

test('it tells generated clients what the Data API lives from: columns, order, filters, whole numbers, files', () => {
  const rows = described.paths['/api/v1/datasets/{slug}/rows']?.['get']
  const parameter = (name: string) => rows?.parameters?.find((each) => each.name === name)
  expect(['select', 'sort', 'limit', 'version'].map((name) => parameter(name)?.in)).toEqual(Array.from({ length: 4 }, () => 'query'))
  expect(parameter('filters')).toMatchObject({
    style: 'form',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  })
  expect([parameter('limit')?.schema, parameter('version')?.schema]).toMatchObject([
    { type: 'integer', maximum: 10_000 },
    { type: 'integer' },
  ])
  const chunk = described.paths['/api/dataset-uploads/{id}']?.['patch']?.parameters
  expect(chunk?.map(({ name, in: place }) => [name, place])).toEqual([
    ['id', 'path'],
    ['tus-resumable', 'header'],
    ['upload-offset', 'header'],
  ])
  const bytes = { type: 'string', format: 'binary' }
  expect(rows?.responses?.['200']?.content?.['application/vnd.apache.parquet']?.schema).toEqual(bytes)
  const takes = (path: string, method: string) =>
    Object.values(described.paths[path]?.[method]?.requestBody?.content ?? {}).map(({ schema }) => schema)
  for (const [path, method] of [
    ['/api/dataset-uploads/{id}', 'patch'],
    ['/api/images', 'post'],
    ['/api/account/avatar', 'put'],
    ['/api/blog/import', 'post'],
  ] as const)
    expect(takes(path, method)).toContainEqual(bytes)
  for (const path of ['/api/login', '/auth/v1/callback', '/auth/v1/authorize'])
    expect(Object.keys(described.paths[path]?.['get']?.responses ?? {})).toContain('302')
})

test('its patterns mean the same in languages without properties of Unicode', () => {
  expect(answer.body).toContain(String.raw`\\u007f-\\u009f`)
  expect(answer.body).not.toMatch(/\\p\{/i)
})

test('endpoints at one address call its parts by the same names', async () => {
  const names = new Map<string, Set<string>>()
  for (const { url } of await listEndpoints()) {
    const shape = url.replaceAll(/:\w+/g, ':')
    names.set(shape, (names.get(shape) ?? new Set()).add(url))
  }
  expect([...names.values()].filter((urls) => urls.size > 1).map((urls) => [...urls])).toEqual([])
})

test('each endpoint is in it', async () => {
  const endpoints = (await listEndpoints()).filter(
    ({ url, schema }) => /^\/(api|auth)\//.test(url) && !url.endsWith('*') && !(schema && 'hide' in schema),
  )
  const shapeOf = (path: string) => path.replaceAll(/:\w+|\{\w+\}/g, '{}')
  const known = new Set(operations.map(({ method, path }) => `${method} ${shapeOf(path)}`))
  const missing = endpoints.flatMap(({ method, url }) =>
    [method]
      .flat()
      .filter((each) => each !== 'HEAD' && !known.has(`${each} ${shapeOf(url)}`))
      .map((each) => `${each} ${url}`),
  )
  expect(missing).toEqual([])
})

test('each one has a name of its own, says what it does, belongs to a group that is explained, and tells how it fails', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const groups = new Set(described.tags.map(({ name }) => name))
  const bare = operations.filter(
    ({ operation: { summary = '', tags = [], responses = {} } }) =>
      /^[A-Z]+ \//.test(summary) ||
      summary.length < 5 ||
      !tags.every((tag) => groups.has(tag)) ||
      !responses['4XX'] ||
      !responses['5XX'] ||
      !Object.keys(responses).some((status) => /^[23]\d\d$/.test(status)),
  )
  expect(bare.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('what it says of who may ask is true: a stranger is sent away exactly where something is needed', async () => {
  const wrong: string[] = []
  for (const { method, path, operation } of operations.filter(({ path }) => !path.startsWith('/auth/v1/'))) {
    const url = path.replaceAll(/\{\w+\}/g, newId())
    const { statusCode } = await app.inject({ method: methodOf(method), url })
    const isOpen = operation.security?.length === 0
    // Some endpoints look at the body first.
    if (isOpen ? statusCode === 401 : statusCode !== 401 && statusCode !== 422) wrong.push(`${method} ${path}: ${statusCode}`)
  }
  expect(wrong).toEqual([])
})

function methodOf(text: string) {
  return (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).find((method) => method === text) ?? 'HEAD'
}
