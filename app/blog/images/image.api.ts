import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { PICTURE_KINDS } from '#app/platform/storage/picture-kind.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { UUID } from '#app/platform/text/uuid.ts'
import { momentIn } from '#app/platform/time/iso-moment.ts'
import { describeImage, storeImage, listImages, removeImage } from './image.server.ts'
import { altText, image, IMAGE_TOO_LARGE, imagePage, MOST_ALT, MOST_IMAGE_BYTES } from './image.ts'

const tags = ['blog']
const params = z.object({ id: z.uuid('Image not found.') })
const unknown = () => stop('notFound', 'Image not found.')
const naming = z.object({ name: z.string().max(1000).default(''), alt: z.union([altText, z.literal('')]).optional() })
const search = z.object({
  q: z.string().max(200).optional(),
  cursor: z.string('This page does not exist.').refine(isCursor, 'This page does not exist.').optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
})

export const imageApi: Api = async (app) => {
  app.addContentTypeParser(/^(image\/|application\/octet-stream)/, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async ({ requestContext, headers }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'posts.write')
    if (Number(headers['content-length']) > MOST_IMAGE_BYTES) stop('tooLarge', IMAGE_TOO_LARGE)
  })

  app.post('/api/images', {
    schema: { summary: 'Upload an image as the request body', tags, querystring: naming, response: { 201: image } },
    bodyLimit: MOST_IMAGE_BYTES,
    config: { audit: 'image_added', limit: perVisitor('images-given', 600, '1 hours'), takes: ['image/*', 'application/octet-stream'] },
    async handler({ requestContext, query: { name, alt }, body }, reply) {
      const { id } = await allow(requestContext, 'posts.write')
      if (!Buffer.isBuffer(body)) stop('unknownMedia', `Send an image as the request body: ${PICTURE_KINDS}.`)
      return reply.status(201).send(await storeImage(body, { name, alt }, id))
    },
  })

  app.get('/api/images', {
    schema: { summary: 'List images, newest first', tags, querystring: search, response: { 200: imagePage } },
    handler: async ({ query }) => listImages(query),
  })

  app.put('/api/images/:id', {
    schema: {
      summary: `Set the alt text of an image, at most ${MOST_ALT} characters`,
      tags,
      params,
      body: z.object({ alt: altText }),
      response: { 200: image },
    },
    config: { audit: 'image_changed' },
    handler: async ({ params: { id }, body: { alt } }) => (await describeImage(id, alt)) ?? unknown(),
  })

  app.delete('/api/images/:id', {
    schema: { summary: 'Delete an image that no post uses', tags, params, response: { 204: z.null() } },
    config: { audit: 'image_removed' },
    async handler({ params: { id } }, reply) {
      if (!(await removeImage(id))) unknown()
      return reply.status(204).send(null)
    },
  })
}

/** The time of the last image of a page, and its id. */
function isCursor(text: string): boolean {
  const [time = '', id = '', ...rest] = text.split('_')
  return rest.length === 0 && momentIn(time) !== undefined && UUID.test(id)
}
