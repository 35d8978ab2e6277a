import type { Socket } from 'node:net'
import { inertPolicy, securityHeaders } from './security-headers.server.ts'
import { propertyOf } from '#app/platform/property.ts'

const tooLong = answer('431 Request Header Fields Too Large', 'This address, or what came with it, is longer than we read.')
const tooSlow = answer('408 Request Timeout', 'This took too long to arrive. Please try again.')
const unreadable = answer('400 Bad Request', 'This request cannot be understood.')

/** Sends a page even for invalid HTTP: a person who typed a long address gets a readable error. */
export function answerUnreadable(error: Error, socket: Socket) {
  const code = propertyOf(error, 'code')
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error)
  socket.end(code === 'HPE_HEADER_OVERFLOW' ? tooLong : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? tooSlow : unreadable)
}

function answer(status: string, sentence: string): string {
  const title = status.slice(4)
  const page = `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${sentence}</p><p><a href="/">Home page</a></p></html>`
  const headers = {
    ...securityHeaders,
    'content-security-policy': inertPolicy,
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'content-length': page.length,
    connection: 'close',
  }
  return [`HTTP/1.1 ${status}`, ...Object.entries(headers).map((entry) => entry.join(': ')), '', page].join('\r\n')
}
