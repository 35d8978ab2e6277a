import { PassThrough } from 'node:stream'
import { allow } from '#app/access.server.ts'
import { LEADS } from '#app/leads/lead-signal.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { onSignal } from '#app/platform/signals.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { textAnswer } from '#app/platform/answer-schema.ts'

/** Tabs and devices of one person. Over HTTP/1 a browser opens six connections to a site: more would starve the page itself. */
const STREAMS_A_PERSON = 5
/** Shorter than the 30 seconds after which common proxies take silence for the end. */
const HEARTBEAT_MS = 20_000
/** In bytes. Someone who does not read what is sent has gone away. */
const UNREAD_MAX = 16_384

type Listener = { viewerId: string; stream: PassThrough }

/** Tells open dashboards, over server-sent events, that leads have changed. What has changed they read from the lists. */
export const leadEventsApi: Api = async (app) => {
  const listeners = new Set<Listener>()

  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    for (const { stream } of listeners) stream.end()
  })

  // A HEAD of something that does not end would never be answered.
  const schema = {
    summary: 'Be told when leads change (server-sent events, for staff)',
    response: { 200: textAnswer('A stream that does not end.', 'text/event-stream') },
  }
  app.get('/api/events', { schema, exposeHeadRoute: false }, async (request, reply) => {
    const { id: viewerId } = await allow(request.visit, 'leads.read')
    if ([...listeners].filter((listener) => listener.viewerId === viewerId).length >= STREAMS_A_PERSON) {
      stop('tooMany', 'Your dashboard is open in too many windows.', { retryAfter: 60 })
    }
    const listener = { viewerId, stream: new PassThrough() }
    listeners.add(listener)
    keepTold(request.visit, listener.stream).once('close', () => listeners.delete(listener))
    // Who came while the others were let go would hold the process up alone.
    if (closing) listener.stream.end()
    return reply
      .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .send(listener.stream)
  })
}

/** Writes to the stream until it closes, or until its reader may no longer know: that is asked anew before each word. */
function keepTold(visit: Visit, stream: PassThrough): PassThrough {
  const say = async (text: string) => {
    if (stream.writableLength > UNREAD_MAX) stream.destroy()
    await allow({ ...visit }, 'leads.read').then(
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
