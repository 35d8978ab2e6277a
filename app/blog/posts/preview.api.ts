import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { POSTS } from './post.ts'
import { findPost } from './post.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { linkBody, newPreviewLink, previewBody, previewLink, rendered } from './preview.ts'
import { listPreviewLinks, makePreviewLink, revokePreviewLink } from './preview-link.server.ts'
import { renderPreview } from './preview.server.ts'

const params = z.object({ id: z.uuid('Post not found.') })
const oneLink = params.extend({ linkId: z.uuid('Link not found.') })
const tags = ['blog']
const unknown = () => stop('notFound', 'Post not found.')
const LINKS = `${POSTS}/:id/preview-links`

export const previewApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'posts.write')
  })

  app.post(`${POSTS}/preview`, {
    schema: { summary: 'Render Markdown like a published post', tags, body: previewBody, response: { 200: rendered } },
    config: { limit: perVisitor('post-previews', 240, '1 minutes') },
    bodyLimit: 2 * 1024 * 1024,
    handler: async ({ body }) => renderPreview(body.content),
  })

  app.get(LINKS, {
    schema: { summary: 'List the preview links of a post', tags, params, response: { 200: z.array(previewLink) } },
    handler: async ({ params: { id } }) => ((await findPost(id)) ? listPreviewLinks(id) : unknown()),
  })

  app.post(LINKS, {
    schema: { summary: 'Create a preview link for a post', tags, params, body: linkBody, response: { 201: newPreviewLink } },
    async handler({ requestContext, params: { id }, body }, reply) {
      const editor = await allow(requestContext, 'posts.write')
      return reply.status(201).send((await makePreviewLink(id, body.days, editor.id)) ?? unknown())
    },
  })

  app.delete(`${LINKS}/:linkId`, {
    schema: { summary: 'Revoke a preview link', tags, params: oneLink, response: { 204: z.null() } },
    async handler({ params: { id, linkId } }, reply) {
      if (!(await revokePreviewLink(id, linkId))) stop('notFound', 'Link not found.')
      return reply.status(204).send(null)
    },
  })
}
