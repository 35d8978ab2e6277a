import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/**
 * Starts an HTTP server of the tests on a free port of this machine. A client that leaves or is killed in the middle of a request ends that request
 * alone. Any other fault of the listener is a 500, and `close` throws it, so the test fails with its reason.
 */
export async function listen(listener: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const faults: unknown[] = []
  const server = createServer((request, response) => {
    Promise.try(listener, request, response).catch((fault: unknown) => {
      if (!request.complete || response.destroyed) return
      faults.push(fault)
      if (!response.headersSent) response.writeHead(500)
      response.end(String(fault))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('There is no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      if (faults.length > 0) throw new AggregateError(faults, 'A server of this test failed.')
    },
  }
}
