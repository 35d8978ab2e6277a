import { PassThrough } from 'node:stream'
import { z } from 'zod'
import { allow, may, type Permission } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { onSignal } from '#app/platform/database/signals.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { liveTopics } from './live-topic.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { textAnswer } from '#app/platform/http/response-schema.ts'

/** Tabs and devices of one person. Over HTTP/1 a browser opens six connections to a site: more would starve the page itself. */
const STREAMS_A_PERSON = 5
/** Shorter than the 30 seconds after which common proxies close a silent connection. */
const HEARTBEAT_MS = 20_000
/** In bytes. A client with a longer backlog no longer reads, and is disconnected. */
const UNREAD_MAX = 16_384

/** A page reads its data before its stream is open. Changes since it began to load are told when the stream opens, but no older ones. */
const RECENT_MS = 60_000
const MOST_RECENT = 500
const AGE = 'The age of a page is a number of milliseconds, 0 or more.'

type Told = { name: string; payload: unknown; at: number }
type Listener = { viewerId: string; stream: PassThrough }

/** Tells open pages of the workspace, over server-sent events, which of their data has changed. They then reload it. */
export const eventsApi: Api = async (app) => {
  const listeners = new Set<Listener>()

  const recent: Told[] = []
  const ends = liveTopics.map(({ name }) =>
    onSignal(name, (payload) => {
      recent.push({ name, payload, at: Date.now() })
      if (recent.length > MOST_RECENT) recent.shift()
    }),
  )
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    for (const end of ends) end()
    for (const { stream } of listeners) stream.end()
  })

  // A HEAD of an endless response would never be answered.
  const schema = {
    summary:
      'Subscribe to changes (server-sent events): `notifications` for everyone, `leads` and `bookings` for staff, `settings.changed` and `pages.clear` for the owner',
    querystring: z.object({ age: z.coerce.number(AGE).int(AGE).min(0, AGE).default(0) }),
    response: { 200: textAnswer('A stream that does not end.', 'text/event-stream') },
  }
  app.get('/api/events', { schema, exposeHeadRoute: false }, async (request, reply) => {
    const { id: currentUserId } = await allow(request.requestContext, 'workspace.enter')
    if ([...listeners].filter((listener) => listener.viewerId === currentUserId).length >= STREAMS_A_PERSON) {
      stop('tooMany', 'The workspace is open in too many windows. Close one and try again.', { retryAfter: 60 })
    }
    const listener = { viewerId: currentUserId, stream: new PassThrough() }
    listeners.add(listener)
    const missed = recent.filter(({ at }) => at > Date.now() - Math.min(request.query.age, RECENT_MS))
    keepTold(request.requestContext, { userId: currentUserId, missed, stream: listener.stream }).once('close', () =>
      listeners.delete(listener),
    )
    // A client that connects during the shutdown would keep the process alive.
    if (closing) listener.stream.end()
    return reply
      .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .send(listener.stream)
  })
}

type Telling = { userId: string; missed: Told[]; stream: PassThrough }

/** Writes to the stream until it closes or its user may no longer enter. Each event is checked for its own permission. */
function keepTold(requestContext: RequestContext, { userId, missed, stream }: Telling): PassThrough {
  const say = async (text: () => string, permission?: Permission) => {
    if (stream.writableLength > UNREAD_MAX) stream.destroy()
    const currentUser = await allow({ ...requestContext }, 'workspace.enter').catch(() => undefined)
    if (!currentUser) return stream.end()
    if (stream.writable && (!permission || may(currentUser, permission))) stream.write(text())
  }
  const tell = async (told: Told, permission: Permission) => say(() => eventOf(told), permission)
  const ends = liveTopics.map(({ name, permission, isFor }) =>
    onSignal(name, (payload) => {
      if (!isFor || isFor(payload, userId)) void tell({ name, payload, at: Date.now() }, permission)
    }),
  )
  const heartbeat = setInterval(() => void say(() => ': still here\n\n'), HEARTBEAT_MS)
  stream.once('close', () => {
    for (const end of ends) end()
    clearInterval(heartbeat)
  })
  stream.write('retry: 3000\n\n')
  for (const { name, permission, isFor } of liveTopics) {
    const newest = missed.findLast((told) => told.name === name && (!isFor || isFor(told.payload, userId)))
    if (newest) void tell(newest, permission)
  }
  return stream
}

/** A signal that was sent for a whole burst says how long ago its last change was, in milliseconds. */
const aged = z.object({ age: z.number() })

/** Names the age of the change, so that a page does not load newer data again. */
function eventOf({ name, payload, at }: Told): string {
  const { age } = aged.safeParse(payload).data ?? { age: 0 }
  return `event: ${name}\ndata: ${JSON.stringify({ age: age + Date.now() - at })}\n\n`
}
