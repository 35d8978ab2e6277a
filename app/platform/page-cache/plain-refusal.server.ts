import type { ServerResponse } from 'node:http'
import { inertPolicy, securityHeaders } from '#app/platform/http/security-headers.server.ts'

/** A refusal that must cost next to nothing, or comes before anything else can be shown. `retryAfter` in seconds. */
export function plainRefusal(status: number, title: string, sentence: string, retryAfter: number) {
  const page = Buffer.from(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${sentence}</p></html>`)
  const headers = Object.entries({
    ...securityHeaders,
    'content-security-policy': inertPolicy,
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(page.length),
    'retry-after': String(retryAfter),
  }).flat()
  return {
    /** Returns the status. */
    send(response: ServerResponse, requestId: string): number {
      response.writeHead(status, ['x-request-id', requestId, ...headers]).end(page)
      return status
    },
  }
}
