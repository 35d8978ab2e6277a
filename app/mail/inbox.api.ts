import { z } from 'zod'
import type { Api } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { allowInbox } from './inbox.server.ts'
import { listLetters, readLetter } from './letters.server.ts'

const LIMIT = 50

/** A letter may bring styles and nothing else; its links open beside it. */
const letterPolicy = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox`

/** The inbox for programs, and each letter as its reader's mail program shows it. */
export const inboxApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    allowInbox(request.visit)
    reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
  })

  app.get('/dev/mail.json', { schema: { hide: true } }, async () => {
    const letters = await listLetters({ limit: LIMIT })
    return Promise.all(letters.map(async (letter) => ({ ...letter, ...(await readLetter(letter.id)) })))
  })

  app.get('/dev/mail/:id', { schema: { hide: true, params: z.object({ id: z.uuid() }) } }, async (request, reply) => {
    const letter = (await readLetter(request.params.id)) ?? stop('notFound', 'This email is out, and its content forgotten.')
    return reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': letterPolicy, 'x-frame-options': 'SAMEORIGIN' })
      .send(letter.html)
  })
}
