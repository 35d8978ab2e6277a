import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { entityTag, expectedVersion } from '#app/platform/entity-tag.ts'
import { POSTS } from '#app/posts/post.ts'
import type { Api } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { draft, draftBody, draftState } from './draft.ts'
import { discardDraft, findDraft, keepDraft } from './draft.server.ts'

const params = z.object({ id: z.uuid('There is no such post.') })
const tags = ['blog']
const unknown = () => stop('notFound', 'There is no such post.')
const PATH = `${POSTS}/:id/draft`

/** The working copy of a post: kept while someone types, seen by staff alone. */
export const draftApi: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(visit, 'posts.write')
  })

  app.get(PATH, {
    schema: { summary: 'Read the working copy of a post', tags, params, response: { 200: draftState } },
    async handler({ params: { id } }, reply) {
      const state = (await findDraft(id)) ?? unknown()
      if (state.draft) reply.header('etag', entityTag(state.draft.version))
      return state
    },
  })

  app.put(PATH, {
    schema: {
      summary: 'Keep the working copy of a post; If-Match: its version that you have seen, none where there was none',
      tags,
      params,
      body: draftBody,
      response: { 200: draft },
    },
    // As much as a draft may be, each character of it escaped.
    bodyLimit: 4 * 1024 * 1024,
    async handler({ visit, params: { id }, body, headers }, reply) {
      const editor = await allow(visit, 'posts.write')
      const kept = (await keepDraft(id, body, editor.id, expectedVersion(headers['if-match']))) ?? unknown()
      reply.header('etag', entityTag(kept.version))
      return kept
    },
  })

  app.delete(PATH, {
    schema: { summary: 'Discard the working copy of a post', tags, params, response: { 204: z.null() } },
    async handler({ params: { id }, headers }, reply) {
      await discardDraft(id, expectedVersion(headers['if-match']))
      return reply.status(204).send(null)
    },
  })
}
