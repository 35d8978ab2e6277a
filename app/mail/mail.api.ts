import './delivery.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { emailsApi } from './emails.api.ts'
import { z } from 'zod'
import { stop } from '#app/platform/errors/stop.ts'
import { allowInbox } from './inbox.server.ts'
import { listEmails, readEmail } from './emails.server.ts'

export const mailApi: Api = async (app) => {
  for (const api of [emailsApi, inboxApi]) app.register(api)
}

const LIMIT = 50

/** An email may load styles only; its links open in a new tab. */
const emailPolicy = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox`

/** The development inbox as JSON, and each email as HTML. */
const inboxApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    allowInbox(request.requestContext)
    reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
  })

  app.get('/dev/mail.json', { schema: { hide: true } }, async () => {
    const emails = await listEmails({ limit: LIMIT })
    return Promise.all(emails.map(async (email) => ({ ...email, ...(await readEmail(email.id)) })))
  })

  app.get('/dev/mail/:id', { schema: { hide: true, params: z.object({ id: z.uuid() }) } }, async (request, reply) => {
    const email = (await readEmail(request.params.id)) ?? stop('notFound', 'This email was sent, and its content was deleted.')
    return reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': emailPolicy, 'x-frame-options': 'SAMEORIGIN' })
      .send(email.html)
  })
}
