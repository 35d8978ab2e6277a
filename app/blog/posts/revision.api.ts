import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { entityTag, expectedVersion } from '#app/platform/http/entity-tag.ts'
import { POSTS } from './post.ts'
import { findPost } from './post.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { draft } from './draft.ts'
import { revision, revisionDiff, revisionPage, revisionQuery } from './revision.ts'
import { compareRevisions } from './revision-diff.server.ts'
import { findRevision, listRevisions, restoreRevision } from './revision.server.ts'

const version = z.coerce
  .number('Version not found.')
  .int('Version not found.')
  .min(1, 'Version not found.')
  .max(1_000_000_000, 'Version not found.')
const params = z.object({ id: z.uuid('Post not found.') })
const one = params.extend({ version })
const against = z.object({ against: version.optional() })
const tags = ['blog']
const unknown = () => stop('notFound', 'This post has no such version.')
const PATH = `${POSTS}/:id/revisions`

export const revisionApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'posts.write')
  })

  app.get(PATH, {
    schema: {
      summary: 'List the versions of a post, newest first',
      tags,
      params,
      querystring: revisionQuery,
      response: { 200: revisionPage },
    },
    handler: async ({ params: { id }, query }) => (await listRevisions(id, query.page)) ?? stop('notFound', 'Post not found.'),
  })

  app.get(`${PATH}/:version`, {
    schema: { summary: 'Read one version of a post', tags, params: one, response: { 200: revision } },
    handler: async ({ params }) => (await findRevision(params.id, params.version)) ?? unknown(),
  })

  app.get(`${PATH}/:version/diff`, {
    schema: {
      summary: 'Compare a version with another one, by default the current one',
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
      summary: 'Restore a version into the draft; If-Match: the version of the draft',
      tags,
      params: one,
      response: { 200: draft },
    },
    config: { audit: 'post_restored' },
    async handler({ requestContext, params, headers }, reply) {
      const editor = await allow(requestContext, 'posts.write')
      const expected = expectedVersion(headers['if-match'])
      const restored = (await restoreRevision(params.id, params.version, editor.id, expected)) ?? unknown()
      reply.header('etag', entityTag(restored.version))
      return restored
    },
  })
}
