import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { POSTS } from '#app/posts/post.ts'
import { findPost } from '#app/posts/post-row.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { linkBody, newPreviewLink, previewBody, previewLink, rendered } from './preview.ts'
import { listPreviewLinks, makePreviewLink, revokePreviewLink } from './preview-link.server.ts'
import { renderPreview } from './preview.server.ts'

const params = z.object({ id: z.uuid('There is no such post.') })
const oneLink = params.extend({ linkId: z.uuid('There is no such link.') })
const tags = ['blog']
const unknown = () => stop('notFound', 'There is no such post.')
const LINKS = `${POSTS}/:id/preview-links`

/** Posts before they are published: rendered for who writes them, and shown to whoever is given a link. */
export const previewApi: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(visit, 'posts.write')
  })

  app.post(`${POSTS}/preview`, {
    schema: { summary: 'Render Markdown as it would be published', tags, body: previewBody, response: { 200: rendered } },
    config: { limit: perVisitor('post-previews', 240, '1 minutes') },
    bodyLimit: 2 * 1024 * 1024,
    handler: async ({ body }) => renderPreview(body.content),
  })

  app.get(LINKS, {
    schema: { summary: 'List the links that show a post', tags, params, response: { 200: z.array(previewLink) } },
    handler: async ({ params: { id } }) => ((await findPost(id)) ? listPreviewLinks(id) : unknown()),
  })

  app.post(LINKS, {
    schema: { summary: 'Make a link that shows a post to whoever has it', tags, params, body: linkBody, response: { 201: newPreviewLink } },
    async handler({ visit, params: { id }, body }, reply) {
      const editor = await allow(visit, 'posts.write')
      return reply.status(201).send((await makePreviewLink(id, body.days, editor.id)) ?? unknown())
    },
  })

  app.delete(`${LINKS}/:linkId`, {
    schema: { summary: 'Take a link back', tags, params: oneLink, response: { 204: z.null() } },
    async handler({ params: { id, linkId } }, reply) {
      if (!(await revokePreviewLink(id, linkId))) stop('notFound', 'There is no such link.')
      return reply.status(204).send(null)
    },
  })
}
