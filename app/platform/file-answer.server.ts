import { inertPolicy } from './security-headers.server.ts'

const HOUR = 3600

/** What machines fetch by a name that they know. It is no document, so nothing may happen in it. They may use it for so many seconds. */
export function fileAnswer(type: string, text: string, seconds = HOUR): Response {
  const headers = { 'content-type': type, 'cache-control': `public, max-age=${seconds}`, 'content-security-policy': inertPolicy }
  return new Response(text, { headers })
}
