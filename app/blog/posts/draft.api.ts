import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { entityTag, expectedVersion } from '#app/platform/http/entity-tag.ts'
import { POSTS } from './post.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { draft, draftBody, draftState } from './draft.ts'
import { discardDraft, findDraft, savePostDraft } from './draft.server.ts'

const params = z.object({ id: z.uuid('Post not found.') })
const tags = ['blog']
const unknown = () => stop('notFound', 'Post not found.')
const PATH = `${POSTS}/:id/draft`

export const draftApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'posts.write')
  })

  app.get(PATH, {
    schema: { summary: 'Read the draft of a post', tags, params, response: { 200: draftState } },
    async handler({ params: { id } }, reply) {
      const state = (await findDraft(id)) ?? unknown()
      if (state.draft) reply.header('etag', entityTag(state.draft.version))
      return state
    },
  })

  app.put(PATH, {
    schema: {
      summary: 'Save the draft of a post, or begin a new post; If-Match: the version you last saw, omitted for the first save',
      tags,
      params,
      body: draftBody,
      response: { 200: draft },
    },
    config: { limit: perVisitor('drafts', 300, '1 minutes') },
    // A draft of maximum length with every character escaped.
    bodyLimit: 4 * 1024 * 1024,
    async handler({ requestContext, params: { id }, body, headers }, reply) {
      const editor = await allow(requestContext, 'posts.write')
      const kept = (await savePostDraft(id, body, editor.id, expectedVersion(headers['if-match']))) ?? unknown()
      reply.header('etag', entityTag(kept.version))
      return kept
    },
  })

  app.delete(PATH, {
    schema: { summary: 'Discard the draft of a post', tags, params, response: { 204: z.null() } },
    async handler({ params: { id }, headers }, reply) {
      await discardDraft(id, expectedVersion(headers['if-match']))
      return reply.status(204).send(null)
    },
  })
}
