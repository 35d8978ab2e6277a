import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { type Api, createHttp } from '#app/platform/http/http.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { log } from './log.server.ts'
import { startTracing } from './tracing.server.ts'
import { eventually } from '#test/eventually.ts'
import { listen } from '#test/http-server.ts'

const attribute = z.object({ key: z.string(), value: z.looseObject({}) })
const spanShape = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attribute),
  events: z.array(z.object({ name: z.string(), attributes: z.array(attribute) })),
  status: z.object({ code: z.number().optional() }),
})
const report = z.object({ resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanShape) })) })) })

/** A collector of the OpenTelemetry protocol, in JSON. */
const spans: z.infer<typeof spanShape>[] = []
const paths = new Set<string | undefined>()
const collector = await listen(async (request, response) => {
  paths.add(request.url)
  const { resourceSpans } = report.parse(await json(request))
  for (const { scopeSpans } of resourceSpans) spans.push(...scopeSpans.flatMap((scope) => scope.spans))
  response.end('{}')
})
const endpoint = collector.url
vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint)
vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json')
const endTracing = await startTracing(endpoint)
vi.spyOn(log, 'error').mockReturnValue()
vi.spyOn(log, 'warn').mockReturnValue()

const things: Api = async (api) => {
  api.post('/api/things/:id', { schema: { body: z.object({ name: z.string() }) } }, async () => {
    await db.selectFrom('jobs').select('id').where('kind', '=', 'hunter2').execute()
    return {}
  })
  api.get('/api/broken', async () => {
    throw new Error('the arithmetic is wrong')
  })
}
const http = createHttp()
http.register(things)
defineJob('traced', z.null(), async () => {
  throw new TypeError('no work')
})

afterAll(async () => {
  await http.close()
  await stopJobs()
  await closeDatabase()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await collector.close()
})

beforeAll(openDatabase)

test('a collector gets the spans of requests with their queries, of jobs, and the exceptions of bugs', async () => {
  await http.inject({ method: 'POST', url: '/api/things/7', body: { name: 'secret words' } })
  await http.inject('/api/broken')
  startJobs()
  await enqueue(db, { kind: 'traced', payload: null })
  await eventually(async () => {
    const { lastError } = await db.selectFrom('jobs').select('lastError').where('kind', '=', 'traced').executeTakeFirstOrThrow()
    expect(lastError).toBe('TypeError')
  })
  await endTracing()
  const find = (name: string) => spans.find((span) => span.name === name)

  expect(paths).toEqual(new Set(['/v1/traces']))
  const request = find('POST /api/things/:id')
  expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } })
  const query = spans.find(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect([query?.name, query?.traceId]).toEqual(['select', request?.traceId])

  const exceptionOf = (name: string) =>
    find(name)?.events.map(({ attributes }) => Object.fromEntries(attributes.map(({ key, value }) => [key, value])))
  expect(find('GET /api/broken')?.status.code).toBe(2)
  expect(exceptionOf('GET /api/broken')).toMatchObject([
    { 'exception.type': { stringValue: 'Error' }, 'exception.message': { stringValue: 'the arithmetic is wrong' } },
  ])
  expect(exceptionOf('job traced')).toMatchObject([{ 'exception.type': { stringValue: 'TypeError' } }])
  // Neither values of queries nor bodies and addresses of requests.
  expect(JSON.stringify(spans)).not.toMatch(/hunter2|secret words|things\/7/)
})
