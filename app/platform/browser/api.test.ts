import { QueryClient } from '@tanstack/react-query'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { ApiError, apiQuery, apiRequest } from './api.ts'
import { listen } from '#test/http-server.ts'
import { toProblem } from '#app/platform/errors/problem.ts'
import { createQueryClient } from './query-client.tsx'

type Seen = { method: string; contentType: string | undefined; body: string }

const ok = z.object({ ok: z.boolean() })

let seen: Seen[] = []
let answer: (response: ServerResponse) => void
const server = await listen(record)

async function record(request: IncomingMessage, response: ServerResponse) {
  seen.push({ method: request.method ?? '', contentType: request.headers['content-type'], body: await text(request) })
  answer(response)
}

const base = server.url

beforeEach(() => {
  seen = []
  answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
})
afterAll(() => server.close())

const refuse = (status: number, body: string) => (response: ServerResponse) => response.writeHead(status).end(body)

test('the cookies of a session travel with every call', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  await apiRequest('GET', base)
  await apiRequest('POST', base, { name: 'Ada' })

  expect(fetched.mock.calls.map(([, options]) => options?.credentials)).toEqual(['include', 'include'])
  fetched.mockRestore()
})

test('a content type and a body are sent only when there is a body', async () => {
  await apiRequest('POST', `${base}/with`, { name: 'Ada' })
  await apiRequest('DELETE', `${base}/without`)

  expect(seen).toEqual([
    { method: 'POST', contentType: 'application/json', body: '{"name":"Ada"}' },
    { method: 'DELETE', contentType: undefined, body: '' },
  ])
})

test('a response that is not OK becomes an error with status and body, or the status text when the body is empty', async () => {
  answer = refuse(418, 'short and stout')
  await expect(apiRequest('GET', base)).rejects.toThrow('418: short and stout')

  answer = refuse(503, '')
  await expect(apiRequest('GET', base)).rejects.toThrow('503: Service Unavailable')
})

test('a problem of the API keeps its sentence for people beside the specified message', async () => {
  const body = JSON.stringify(toProblem(409, 'Conflict', 'This slug is taken.', { code: 'slug_taken' }))
  answer = refuse(409, body)

  const error = await apiRequest('PUT', base, {}).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ message: `409: ${body}`, status: 409, detail: 'This slug is taken.', problem: { code: 'slug_taken' } })
})

test('a read parses JSON', async () => {
  const read = await new QueryClient().fetchQuery(apiQuery(`${base}/read`, ok))
  expect(read).toEqual({ ok: true })
})

test('a 401 throws by default, and yields null for a read that asks for that', async () => {
  answer = refuse(401, 'who are you')
  const client = createQueryClient(() => undefined)

  await expect(client.fetchQuery(apiQuery(`${base}/throws`, ok))).rejects.toThrow('401: who are you')
  await expect(client.fetchQuery(apiQuery(`${base}/quiet`, ok, { on401: 'null' }))).resolves.toBeNull()
})

test('query data never goes stale, is not refetched automatically, and a failure is not retried', async () => {
  const client = createQueryClient(() => undefined)
  await client.fetchQuery(apiQuery(`${base}/once`, ok))
  await client.fetchQuery(apiQuery(`${base}/once`, ok))
  expect(seen).toHaveLength(1)

  answer = refuse(500, '')
  await expect(client.fetchQuery(apiQuery(`${base}/fails`, ok))).rejects.toThrow('500: Internal Server Error')
  expect(seen).toHaveLength(2)
  expect(client.getDefaultOptions()).toMatchObject({
    queries: { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Infinity, retry: false },
    mutations: { retry: false },
  })
})

test('a session that the server no longer knows is reported once for each failed call, other failures are not', async () => {
  let signedOut = 0
  const client = createQueryClient(() => (signedOut += 1))

  answer = refuse(403, '')
  await expect(client.fetchQuery(apiQuery(`${base}/forbidden`, ok))).rejects.toThrow('403: Forbidden')
  expect(signedOut).toBe(0)

  answer = refuse(401, '')
  await expect(client.fetchQuery(apiQuery(`${base}/gone`, ok))).rejects.toThrow('401: Unauthorized')
  expect(signedOut).toBe(1)
})
