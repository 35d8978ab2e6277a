import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './http-server.ts'

type ReceivedWebhook = { headers: Record<string, string>; body: string }

export type Answering = (response: ServerResponse, got: ReceivedWebhook, request: IncomingMessage) => void

/** A receiver on this machine, which an installation of this machine may reach. */
export async function startReceiver(answer: Answering = (reply) => void reply.end('ok')) {
  const got: ReceivedWebhook[] = []
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const one = {
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: await text(request),
    }
    got.push(one)
    answer(response, one, request)
  }
  const { url, close } = await listen(listener)
  return { url: `${url}/hook`, got, stop: close }
}
