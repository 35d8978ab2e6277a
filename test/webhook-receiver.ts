import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

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
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${at.port}/hook`, got, stop }
}
