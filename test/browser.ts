import type { InjectOptions } from 'fastify'
import type { Http } from '#app/platform/http/http.server.ts'

/** The headers of a browser that opens a page. */
const navigation = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const ORIGIN = 'http://localhost:3000'

/** Requests of our own pages: cookies are stored, and the headers name the origin. */
export function browser(app: Http, origin = ORIGIN) {
  const cookies = new Map<string, string>()
  const setCookies: string[] = []

  async function send(options: InjectOptions) {
    const isWrite = options.method !== undefined && options.method !== 'GET' && options.method !== 'HEAD'
    const reply = await app.inject({
      ...options,
      cookies: Object.fromEntries(cookies),
      headers: { host: 'localhost:3000', ...navigation, ...(isWrite && { origin }), ...options.headers },
    })
    setCookies.push(...[reply.headers['set-cookie'] ?? []].flat())
    for (const { name, value, maxAge, expires } of reply.cookies) {
      if (maxAge === 0 || (expires && expires.getTime() < Date.now())) cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  }

  /** Sends a form as a browser without script does. */
  const post = (url: string, fields: Record<string, string>) =>
    send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })

  return { cookies, setCookies, send, post }
}
