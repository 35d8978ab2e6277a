import { type Attributes, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LogEvent } from 'kysely'
import { env } from '#app/platform/env.server.ts'

const tracer = trace.getTracer('winnow')
let isTracing = false

/**
 * Sends spans and exceptions to the collector of the setting; without one, nothing is loaded and nothing is done. The SDK reads the other `OTEL_…`
 * variables itself. Returns the function that sends what is left.
 */
export async function startTracing(endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT): Promise<() => Promise<void>> {
  if (!endpoint) return async () => undefined
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  // `/metrics` has the figures, and standard output the log.
  const sdk = new NodeSDK({ serviceName: env.OTEL_SERVICE_NAME, autoDetectResources: false, metricReaders: [], logRecordProcessors: [] })
  sdk.start()
  isTracing = true
  return async () => {
    isTracing = false
    // A collector that is away must not keep a process from its end.
    await sdk.shutdown().catch(() => undefined)
    trace.disable()
    context.disable()
  }
}

/** Runs work in a span. The span includes the queries of the work and the bugs that it logs. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (!isTracing) return work()
  return tracer.startActiveSpan(name, { attributes }, (span) => work().finally(() => span.end()))
}

/** A span for each request that an endpoint or a page serves. Pages of the cache have none. */
export function traceRequests(http: FastifyInstance) {
  if (!isTracing) return
  const spans = new WeakMap<FastifyRequest, Span>()
  const within = (request: FastifyRequest, done: () => void) => {
    const span = spans.get(request)
    if (span) context.with(trace.setSpan(context.active(), span), done)
    else done()
  }
  http.addHook('onRequest', (request, _reply, done) => {
    spans.set(
      request,
      tracer.startSpan(request.method, { attributes: { 'http.request.method': request.method, 'winnow.request': request.id } }),
    )
    within(request, done)
  })
  // A body ends in an event of its connection, outside of the span.
  http.addHook('preValidation', (request, _reply, done) => within(request, done))
  http.addHook('onResponse', async (request, { statusCode }) => {
    const route = request.requestContext.route ?? request.routeOptions.url ?? ''
    const span = spans.get(request)
    span?.updateName(`${request.method} ${route}`).setAttributes({ 'http.route': route, 'http.response.status_code': statusCode })
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  })
}

/** A span for a query that has ended. Its text has no values: those are parameters. */
export function traceQuery({ query, queryDurationMillis, level }: LogEvent) {
  if (!isTracing) return
  const endTime = Date.now()
  const name = query.sql.trimStart().split(/\s/, 1)[0] ?? ''
  const span = tracer.startSpan(name, { startTime: endTime - queryDurationMillis, attributes: { 'db.query.text': query.sql } })
  if (level === 'error') span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(endTime)
}

/** Records a bug in the span of its request or job, or in one of its own. `described` has nothing personal. */
export function traceBug(described: { type: string; message?: string | undefined; stack?: string | undefined }) {
  if (!isTracing) return
  const active = trace.getActiveSpan()
  const span = active ?? tracer.startSpan('bug')
  const { type: name, message = '', stack = '' } = described
  span.recordException({ name, message, stack })
  span.setStatus({ code: SpanStatusCode.ERROR })
  if (!active) span.end()
}
