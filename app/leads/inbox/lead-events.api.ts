import { PassThrough } from 'node:stream'
import { allow } from '#app/access.server.ts'
import { LEADS } from '#app/leads/lead-signal.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { onSignal } from '#app/platform/database/signals.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { textAnswer } from '#app/platform/http/response-schema.ts'

/** Tabs and devices of one person. Over HTTP/1 a browser opens six connections to a site: more would starve the page itself. */
const STREAMS_A_PERSON = 5
/** Shorter than the 30 seconds after which common proxies close a silent connection. */
const HEARTBEAT_MS = 20_000
/** In bytes. A client with a longer backlog no longer reads, and is disconnected. */
const UNREAD_MAX = 16_384

type Listener = { viewerId: string; stream: PassThrough }

/** Notifies open dashboards, over server-sent events, that leads have changed. They then reload their lists. */
export const leadEventsApi: Api = async (app) => {
  const listeners = new Set<Listener>()

  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    for (const { stream } of listeners) stream.end()
  })

  // A HEAD of an endless response would never be answered.
  const schema = {
    summary: 'Subscribe to changes of leads (server-sent events, for staff)',
    response: { 200: textAnswer('A stream that does not end.', 'text/event-stream') },
  }
  app.get('/api/events', { schema, exposeHeadRoute: false }, async (request, reply) => {
    const { id: currentUserId } = await allow(request.requestContext, 'leads.read')
    if ([...listeners].filter((listener) => listener.viewerId === currentUserId).length >= STREAMS_A_PERSON) {
      stop('tooMany', 'The dashboard is open in too many windows. Close one and try again.', { retryAfter: 60 })
    }
    const listener = { viewerId: currentUserId, stream: new PassThrough() }
    listeners.add(listener)
    keepTold(request.requestContext, listener.stream).once('close', () => listeners.delete(listener))
    // A client that connects during the shutdown would keep the process alive.
    if (closing) listener.stream.end()
    return reply
      .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .send(listener.stream)
  })
}

/** Writes to the stream until it closes or its user loses access, which is checked before each event. */
function keepTold(requestContext: RequestContext, stream: PassThrough): PassThrough {
  const say = async (text: string) => {
    if (stream.writableLength > UNREAD_MAX) stream.destroy()
    await allow({ ...requestContext }, 'leads.read').then(
      () => stream.writable && stream.write(text),
      () => stream.end(),
    )
  }
  const stopListening = onSignal(LEADS, () => void say('event: leads\ndata: {}\n\n'))
  const heartbeat = setInterval(() => void say(': still here\n\n'), HEARTBEAT_MS)
  stream.once('close', () => {
    stopListening()
    clearInterval(heartbeat)
  })
  stream.write('retry: 3000\n\n')
  return stream
}
