import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { MOST_PIECE, PIECE_TYPE } from './piece.ts'
import { type UploadState, upload, uploadBody } from './upload.ts'
import { beginUpload, discardUpload, findUpload, receivePiece } from './upload.server.ts'

const tags = ['data marketplace']
const byId = z.object({ id: z.uuid('There is no such upload.') })
const unknown = () => stop('notFound', 'There is no such upload.')
const offset = z.object({ 'upload-offset': z.string().regex(/^\d{1,12}$/, 'Upload-Offset says at which byte the piece begins.') })

/** Dataset uploads for staff, in chunks: an interruption costs at most one chunk. */
export const uploadApi: Api = async (app) => {
  // Streamed, never buffered whole.
  app.addContentTypeParser(PIECE_TYPE, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async ({ requestContext, headers }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'products.write')
    if (Number(headers['content-length']) > MOST_PIECE) stop('tooLarge', 'A piece may have at most 64 MB.')
  })

  app.post(`${PRODUCTS}/:id/uploads`, {
    schema: {
      summary: 'Begin to upload a file as the next version of a data product',
      tags,
      params: z.object({ id: z.uuid('There is no such product.') }),
      body: uploadBody,
      response: { 201: upload },
    },
    bodyLimit: 64 * 1024,
    async handler({ requestContext, params, body }, reply) {
      return told(reply.status(201), await beginUpload(params.id, body, await allow(requestContext, 'products.write')))
    },
  })

  app.get('/api/uploads/:id', {
    schema: { summary: 'Say how far an upload is; Upload-Offset: where to go on', tags, params: byId, response: { 200: upload } },
    handler: async ({ params }, reply) => told(reply, (await findUpload(params.id)) ?? unknown()),
  })

  app.patch('/api/uploads/:id', {
    schema: {
      summary: 'Send the piece of an upload that begins at Upload-Offset',
      tags,
      params: byId,
      headers: offset,
      response: { 200: upload },
    },
    config: { limit: perVisitor('datasets.pieces', 6000, '10 minutes'), takes: [PIECE_TYPE] },
    async handler({ params, headers, body }, reply) {
      if (!(body instanceof Readable)) stop('unknownMedia', `Send the piece as the body, with Content-Type: ${PIECE_TYPE}.`)
      const received = (await receivePiece(params.id, Number(headers['upload-offset']), body)) ?? unknown()
      told(reply, received.upload)
      if (!received.isTaken)
        stop('conflict', 'This piece does not begin where the upload is.', { code: 'wrong_offset', current: received.upload })
      return received.upload
    },
  })

  app.delete('/api/uploads/:id', {
    schema: { summary: 'Discard an upload', tags, params: byId, response: { 204: z.null() } },
    async handler({ params }, reply) {
      if (!(await discardUpload(params.id))) unknown()
      return reply.status(204).send(null)
    },
  })
}

function told(reply: FastifyReply, found: UploadState): UploadState {
  reply.headers({ 'upload-offset': found.received, 'upload-length': found.bytes })
  return found
}
