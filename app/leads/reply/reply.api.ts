import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { findLeadId } from '#app/leads/lead/contact.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { fileResponseSchema, textAnswer } from '#app/platform/http/response-schema.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { addLeadFile, listLeadFiles, openLeadFile, removeLeadFile } from './lead-file.server.ts'
import { leadFile, leadMessage } from './message.ts'
import { findMessageHtml } from './message.server.ts'
import { fillFields, fillMarkdown, missingFields } from './reply-field.ts'
import { readFacts, readReplyEditor } from './reply-facts.server.ts'
import { cancelReply, renderReply, scheduleReply, sendReplyNow } from './reply.server.ts'
import {
  cancelledReply,
  FILE_TOO_LARGE,
  MOST_FILE_BYTES,
  replyBody,
  replyDraft,
  replyEditor,
  replyPreview,
  replyTemplate,
  signatureBody,
  templateBody,
  templateChange,
  templateOrder,
} from './reply.ts'
import {
  addTemplate,
  changeTemplate,
  listTemplates,
  orderTemplates,
  readSignature,
  removeTemplate,
  saveSignature,
} from './template.server.ts'

const params = z.object({ reference: z.string().max(60, 'Lead not found.') })
const idOf = async ({ reference }: { reference: string }) => (await findLeadId(reference)) ?? stop('notFound', 'Lead not found.')
const oneMessage = z.object({ id: z.uuid('There is no such email.') })
const oneFile = z.object({ id: z.uuid('There is no such file.') })
const oneTemplate = z.object({ id: z.uuid('There is no such template.') })
const unknownFile = () => stop('notFound', 'There is no such file.')
const unknownTemplate = () => stop('notFound', 'There is no such template.')

/** Scripts never run in it, and its links open elsewhere. Styles are inline in emails. */
const SANDBOX = `base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox`
const closedEmail = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; ${SANDBOX}`
const openEmail = `default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; ${SANDBOX}`

/** The colors of the system, because the frame knows nothing of ours but whether they are dark. */
const EMAIL_STYLE = `:root { color-scheme: light dark; background: Canvas; color: CanvasText }
body { margin: 0; padding: 0.75rem; display: flow-root; overflow: auto hidden; font: 0.875rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
body > :first-child { margin-top: 0 } body > :last-child { margin-bottom: 0 }
img { max-width: 100%; height: auto } pre { white-space: pre-wrap }
summary { cursor: pointer; width: fit-content } details[data-quoted] { margin-top: 0.75rem }
blockquote { margin: 0.5rem 0; padding-left: 0.75rem; border-left: 2px solid GrayText }`

/** A download is not a document, but a browser may be told to show it as one. */
const INERT = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox`

/** Replies to leads, and how emails in both directions are read. */
export const replyApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, /^(GET|HEAD)$/.test(request.method) ? 'leads.read' : 'leads.write')
  })

  app.get('/api/leads/:reference/reply', {
    schema: { summary: 'Read what the editor of a reply needs', params, response: { 200: replyEditor } },
    handler: async ({ params, requestContext }) => readReplyEditor(await idOf(params), (await staffOf(requestContext)).id),
  })

  app.post('/api/leads/:reference/reply/preview', {
    schema: { summary: 'Fill in and render a reply', params, body: replyDraft, response: { 200: replyPreview } },
    config: { limit: perVisitor('reply-previews', 240, '1 minutes') },
    async handler({ params, body: { subject, text }, requestContext }) {
      const { id } = await staffOf(requestContext)
      const facts = await readFacts(await idOf(params), id)
      return {
        subject: fillFields(subject, facts),
        html: await renderReply(fillMarkdown(text, facts), await readSignature(id)),
        missing: missingFields(`${subject}\n${text}`, facts),
      }
    },
  })

  app.post('/api/leads/:reference/replies', {
    schema: { summary: 'Send a reply, in 10 seconds or later', params, body: replyBody, response: { 201: leadMessage } },
    async handler({ params, body, requestContext }, reply) {
      return reply.status(201).send(await scheduleReply(await idOf(params), body, await staffOf(requestContext)))
    },
  })

  app.post('/api/lead-messages/:id/cancel', {
    schema: { summary: 'Cancel a reply that is due', params: oneMessage, response: { 200: cancelledReply } },
    handler: async ({ params, requestContext }) => cancelReply(params.id, await staffOf(requestContext)),
  })

  app.post('/api/lead-messages/:id/send', {
    schema: { summary: 'Send a reply that is due later, or one that failed', params: oneMessage, response: { 200: leadMessage } },
    handler: async ({ params }) => sendReplyNow(params.id),
  })

  app.get('/api/lead-messages/:id/html', {
    schema: {
      summary: 'Read the sanitized HTML of a received email',
      params: oneMessage,
      querystring: z.object({ remote: z.enum(['1'], 'remote is 1, or missing.').optional() }),
      response: { 200: textAnswer('The email, without remote content unless asked for.', 'text/html') },
    },
    async handler({ params, query: { remote } }, reply) {
      const html = (await findMessageHtml(params.id, remote !== undefined)) ?? stop('notFound', 'There is no such email.')
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': remote ? openEmail : closedEmail,
          'x-frame-options': 'SAMEORIGIN',
          'referrer-policy': 'no-referrer',
        })
        .send(
          `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Email</title><base target="_blank"><style>${EMAIL_STYLE}</style></head><body>${html}</body></html>`,
        )
    },
  })
}

const upload = z.object({
  name: z.string().max(1000).default(''),
  type: z.string().max(200).default(''),
  use: z.enum(['lead', 'reply'], 'use is lead or reply.').default('lead'),
})

/** Files of leads. */
export const leadFileApi: Api = async (app) => {
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async ({ requestContext, method, headers }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, /^(GET|HEAD)$/.test(method) ? 'leads.read' : 'leads.write')
    if (Number(headers['content-length']) > MOST_FILE_BYTES) stop('tooLarge', FILE_TOO_LARGE)
  })

  app.get('/api/leads/:reference/files', {
    schema: { summary: 'List the files of a lead, newest first', params, response: { 200: z.array(leadFile) } },
    handler: async ({ params }) => listLeadFiles(await idOf(params)),
  })

  app.post('/api/leads/:reference/files', {
    schema: {
      summary: 'Add a file as the request body: to the lead, or to the reply that you write',
      params,
      querystring: upload,
      response: { 201: leadFile },
    },
    bodyLimit: MOST_FILE_BYTES,
    config: { limit: perVisitor('lead-files', 600, '1 hours'), takes: ['application/octet-stream'] },
    async handler({ params, query: { name, type, use }, body, requestContext }, reply) {
      const actor = await staffOf(requestContext)
      if (!Buffer.isBuffer(body)) stop('unknownMedia', 'Send a file as the request body, as application/octet-stream.')
      const file = {
        name,
        type,
        contactId: await idOf(params),
        messageId: null,
        source: use === 'reply' ? ('reply' as const) : ('staff' as const),
        createdBy: actor.id,
      }
      return reply.status(201).send(await addLeadFile(body, file, actor))
    },
  })

  app.get('/api/lead-files/:id', {
    schema: {
      summary: 'Download a file of a lead',
      params: oneFile,
      response: { 200: fileResponseSchema('The file.', 'application/octet-stream') },
    },
    async handler({ params }, reply) {
      const { name, size, stream } = (await openLeadFile(params.id)) ?? unknownFile()
      return reply
        .headers({
          // Never the type that its sender gave it: a browser must not show it.
          'content-type': 'application/octet-stream',
          'content-length': size,
          'content-disposition': `attachment; filename="${name.replaceAll(/[^\w. -]/g, '_')}"; filename*=UTF-8''${encoded(name)}`,
          'content-security-policy': INERT,
        })
        .send(stream)
    },
  })

  app.delete('/api/lead-files/:id', {
    schema: { summary: 'Delete a file that was added to a lead', params: oneFile, response: { 204: z.null() } },
    async handler({ params, requestContext }, reply) {
      if (!(await removeLeadFile(params.id, await staffOf(requestContext)))) unknownFile()
      return reply.status(204).send(null)
    },
  })
}

/** RFC 8187 */
function encoded(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Templates of replies, shared by all staff, and each person's signature. */
export const templateApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, /^(GET|HEAD)$/.test(request.method) ? 'leads.read' : 'leads.write')
  })

  app.get(
    '/api/lead-templates',
    { schema: { summary: 'List the templates of replies', response: { 200: z.array(replyTemplate) } } },
    async () => listTemplates(),
  )

  app.post('/api/lead-templates', {
    schema: { summary: 'Add a template', body: templateBody, response: { 201: replyTemplate } },
    async handler({ body, requestContext }, reply) {
      return reply.status(201).send(await addTemplate(body, await staffOf(requestContext)))
    },
  })

  app.put('/api/lead-templates/order', {
    schema: { summary: 'Set the order of the templates', body: templateOrder, response: { 200: z.array(replyTemplate) } },
    handler: async ({ body, requestContext }) => orderTemplates(body.ids, await staffOf(requestContext)),
  })

  app.patch('/api/lead-templates/:id', {
    schema: { summary: 'Change a template', params: oneTemplate, body: templateChange, response: { 200: replyTemplate } },
    handler: async ({ params, body, requestContext }) =>
      (await changeTemplate(params.id, body, await staffOf(requestContext))) ?? unknownTemplate(),
  })

  app.delete('/api/lead-templates/:id', {
    schema: { summary: 'Delete a template', params: oneTemplate, response: { 200: replyTemplate } },
    handler: async ({ params, requestContext }) => (await removeTemplate(params.id, await staffOf(requestContext))) ?? unknownTemplate(),
  })

  app.put('/api/leads/signature', {
    schema: { summary: 'Save your signature', body: signatureBody, response: { 200: signatureBody } },
    async handler({ body, requestContext }) {
      await saveSignature((await staffOf(requestContext)).id, body.text)
      return body
    },
  })
}

async function staffOf(requestContext: RequestContext) {
  const { id } = await allow(requestContext, 'leads.write')
  return { id, address: requestContext.address }
}
