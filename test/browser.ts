import type { InjectOptions } from 'fastify'
import type { Http } from '#app/platform/http.server.ts'

/** What a browser says of a page that a person opens. */
const navigation = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const ORIGIN = 'http://localhost:3000'

/** What our own pages do to the server: cookies are kept, and the browser says where a request comes from. */
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

  /** Sends a form as it is sent without script. */
  const post = (url: string, fields: Record<string, string>) =>
    send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })

  return { cookies, setCookies, send, post }
}
