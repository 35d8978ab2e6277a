import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { entityTag, expectedVersion } from '#app/platform/entity-tag.ts'
import { POSTS } from '#app/posts/post.ts'
import { findPost } from '#app/posts/post-row.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { draft } from './draft.ts'
import { revision, revisionDiff, revisionPage, revisionQuery } from './revision.ts'
import { compareRevisions } from './revision-diff.server.ts'
import { findRevision, listRevisions, restoreRevision } from './revision.server.ts'

const version = z.coerce
  .number('There is no such version.')
  .int('There is no such version.')
  .min(1, 'There is no such version.')
  .max(1_000_000_000, 'There is no such version.')
const params = z.object({ id: z.uuid('There is no such post.') })
const one = params.extend({ version })
const against = z.object({ against: version.optional() })
const tags = ['blog']
const unknown = () => stop('notFound', 'There is no such version of this post.')
const PATH = `${POSTS}/:id/revisions`

/** Every version that a post had, and the way back to one. */
export const revisionApi: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(visit, 'posts.write')
  })

  app.get(PATH, {
    schema: {
      summary: 'List the versions of a post, the last first',
      tags,
      params,
      querystring: revisionQuery,
      response: { 200: revisionPage },
    },
    handler: async ({ params: { id }, query }) => (await listRevisions(id, query.page)) ?? stop('notFound', 'There is no such post.'),
  })

  app.get(`${PATH}/:version`, {
    schema: { summary: 'Read one version of a post', tags, params: one, response: { 200: revision } },
    handler: async ({ params }) => (await findRevision(params.id, params.version)) ?? unknown(),
  })

  app.get(`${PATH}/:version/diff`, {
    schema: {
      summary: 'Compare a version with another, with that of today unless one is named',
      tags,
      params: one,
      querystring: against,
      response: { 200: revisionDiff },
    },
    async handler({ params, query }) {
      const to = query.against ?? (await findPost(params.id))?.version
      const [one, other] = await Promise.all([params.version, to ?? 0].map((version) => findRevision(params.id, version)))
      return one && other ? compareRevisions(one, other) : unknown()
    },
  })

  app.post(`${PATH}/:version/restore`, {
    schema: {
      summary: 'Put a version into the working copy; If-Match: that of the working copy',
      tags,
      params: one,
      response: { 200: draft },
    },
    config: { audit: 'post_restored' },
    async handler({ visit, params, headers }, reply) {
      const editor = await allow(visit, 'posts.write')
      const expected = expectedVersion(headers['if-match'])
      const restored = (await restoreRevision(params.id, params.version, editor.id, expected)) ?? unknown()
      reply.header('etag', entityTag(restored.version))
      return restored
    },
  })
}
