import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { PICTURE_KINDS } from '#app/platform/storage/picture-kind.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { clearPages } from '#app/platform/page-cache/page-cache.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { findPicture, keepPicture, removePicture } from './avatar.server.ts'
import { MOST_PICTURE_BYTES, PICTURE_TOO_LARGE } from './picture-file.ts'
import { fileResponseSchema } from '#app/platform/http/response-schema.ts'

const perPerson: Limit = { name: 'avatar', points: 20, seconds: 3600 }
const kept = z.object({ avatarUrl: z.string().nullable() })

/** The endpoints of the signed-in person's picture. */
export const avatarApi: Api = async (app) => {
  app.addContentTypeParser(/^(image\/|application\/octet-stream)/, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async ({ requestContext, headers }) => {
    await allow(requestContext, 'workspace.enter')
    if (Number(headers['content-length']) > MOST_PICTURE_BYTES) stop('tooLarge', PICTURE_TOO_LARGE)
  })

  app.put('/api/account/avatar', {
    schema: { summary: 'Set your picture: the body is the file', tags: ['account'], response: { 200: kept } },
    bodyLimit: MOST_PICTURE_BYTES,
    config: { limit: perVisitor('avatars-given', 60, '1 hours'), takes: ['image/*', 'application/octet-stream'] },
    async handler({ requestContext, body }) {
      const { id, role } = await allow(requestContext, 'workspace.enter')
      await consume(perPerson, id)
      if (!Buffer.isBuffer(body)) stop('unknownMedia', `Send a picture as the body: ${PICTURE_KINDS}.`)
      const avatarUrl = await keepPicture(id, body, requestContext)
      if (role !== 'customer') await clearAuthorPages()
      return { avatarUrl }
    },
  })

  app.delete('/api/account/avatar', {
    schema: { summary: 'Remove your picture', tags: ['account'], response: { 200: kept } },
    async handler({ requestContext }) {
      const { id, role } = await allow(requestContext, 'workspace.enter')
      await removePicture(id, requestContext)
      if (role !== 'customer') await clearAuthorPages()
      return { avatarUrl: null }
    },
  })
}

/** Posts show the pictures of their authors, and the old address is gone. */
function clearAuthorPages(): Promise<void> {
  return clearPages('posts', 'post-pages')
}

/** People's pictures, at unguessable URLs whose content never changes. */
export const avatarFileApi: Api = async (app) => {
  app.get('/avatars/:file', {
    schema: {
      summary: 'Get a picture by its address',
      tags: ['account'],
      params: z.object({ file: z.string() }),
      response: { 200: fileResponseSchema('The picture.', 'image/webp') },
    },
    config: { isPublic: true },
    async handler({ params }, reply) {
      const [, id] = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.webp$/.exec(params.file) ?? []
      const picture = (id && (await findPicture(id))) || stop('notFound', 'There is no such picture.')
      return reply
        .headers({ 'content-type': 'image/webp', 'cache-control': 'public, max-age=31536000, immutable', 'x-robots-tag': 'noindex' })
        .send(Buffer.from(picture))
    },
  })
}
