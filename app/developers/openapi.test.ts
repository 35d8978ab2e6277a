import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
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
  // A machine on which tests run has no address that the rules would let stand.
  const source = JSON.stringify({ ...described, servers: [{ url: 'https://winnow.test' }] })
  const problems = await lintFromString({ source, config: await createConfig({ extends: ['recommended'] }) })
  expect(problems.map(({ ruleId, severity, message, location }) => [ruleId, severity, message, location[0]?.pointer])).toEqual([])
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
      /^[A-Z]+ \//.test(summary) || summary.length < 5 || !tags.every((tag) => groups.has(tag)) || !responses['4XX'] || !responses['5XX'],
  )
  expect(bare.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('what it says of who may ask is true: a stranger is sent away exactly where something is needed', async () => {
  const reads = operations.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/') && !path.includes('{'))
  const wrong: string[] = []
  for (const { path, operation } of reads) {
    const { statusCode } = await app.inject({ url: path })
    if ((statusCode === 401) !== (operation.security?.length !== 0)) wrong.push(`${path}: ${statusCode}`)
  }
  expect(wrong).toEqual([])
})
