import { inertPolicy } from './security-headers.server.ts'

const HOUR = 3600

/** A file for machines that know its name, such as `robots.txt`. Not a document, so nothing may run in it. `seconds` is its cache lifetime. */
export function fileResponse(type: string, text: string, seconds = HOUR): Response {
  const headers = { 'content-type': type, 'cache-control': `public, max-age=${seconds}`, 'content-security-policy': inertPolicy }
  return new Response(text, { headers })
}
