import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { allow, may } from '#app/access.server.ts'
import { findViewer } from '#app/account/viewer.server.ts'
import { env } from '#app/platform/env.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { entityTag, expectedVersion } from '#app/platform/entity-tag.ts'
import { isPostId, post, postBody, type Post, POSTS } from './post.ts'
import { findPosts, listPosts } from './post-list.server.ts'
import { postList, postQuery } from './post-query.ts'
import { findPost, findPostBySlug } from './post-row.server.ts'
import { createPost, removePost, savePost } from './post-write.server.ts'
import { findPreviewedPost } from './preview-link.server.ts'
import { wasRemoved } from './public-post.server.ts'

const byName = z.object({ idOrSlug: z.string().max(200, 'There is no such post.') })
const tags = ['blog']
const preview = z.object({ preview: z.string().max(200, 'This link is not known.').optional() })
const unknown = () => stop('notFound', 'There is no such post.')
/** The longest content, each character of it escaped, and all other fields. */
const bodyLimit = 2 * 1024 * 1024

/** Posts of the blog: for readers what is public, for staff all of it. */
export const postApi: Api = async (app) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.get(POSTS, {
    schema: {
      summary: 'List posts, newest first: for readers those that are public',
      tags,
      querystring: postQuery,
      response: { 200: postList },
    },
    config: { limit: perVisitor('blog', 300, '1 minutes') },
    async handler({ visit, query, url }, reply) {
      const onlyPublic = !(await isWriter(visit))
      if (/[?&](page|limit|q|tag|status)=/.test(url)) return findPosts({ ...query, onlyPublic })
      const { posts, total } = await listPosts({ published: query.published, onlyPublic })
      reply.headers({ 'x-total-count': total, ...(posts.length < total && { link: restOf(query.published, posts.length) }) })
      return posts
    },
  })

  app.get(`${POSTS}/:idOrSlug`, {
    schema: { summary: 'Read one post', tags, params: byName, querystring: preview, response: { 200: post } },
    config: { limit: perVisitor('blog', 300, '1 minutes') },
    async handler({ visit, params: { idOrSlug: slug }, query }, reply) {
      const found = await findFor(visit, slug, query.preview)
      if (found) return answer(reply, found)
      return (await wasRemoved(slug)) ? stop('gone', 'This post has been removed.') : unknown()
    },
  })

  app.register(writes)
}

const writes: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }) => void (await allow(visit, 'posts.write')))

  app.post(POSTS, {
    schema: { summary: 'Make a post', tags, body: postBody, response: { 201: post } },
    config: { audit: 'post_created' },
    bodyLimit,
    handler: async ({ visit, body }, reply) => answer(reply.status(201), await createPost(body, await allow(visit, 'posts.write'))),
  })

  app.put(`${POSTS}/:idOrSlug`, {
    schema: {
      summary: 'Change a post; If-Match: the version that you have seen',
      tags,
      params: byName,
      body: postBody,
      response: { 200: post },
    },
    config: { audit: 'post_changed' },
    bodyLimit,
    async handler({ visit, params: { idOrSlug }, body, headers }, reply) {
      const editor = await allow(visit, 'posts.write')
      return answer(reply, (await savePost(await idOf(idOrSlug), body, editor, expectedVersion(headers['if-match']))) ?? unknown())
    },
  })

  app.delete(`${POSTS}/:idOrSlug`, {
    schema: { summary: 'Remove a post', tags, params: byName, response: { 204: z.null() } },
    config: { audit: 'post_removed' },
    async handler({ params: { idOrSlug }, headers }, reply) {
      if (!(await removePost(await idOf(idOrSlug), expectedVersion(headers['if-match'])))) unknown()
      return reply.status(204).send(null)
    },
  })
}

async function idOf(idOrSlug: string): Promise<string> {
  return isPostId(idOrSlug) ? idOrSlug : ((await findPostBySlug(idOrSlug))?.id ?? unknown())
}

function answer(reply: FastifyReply, found: Post): Post {
  reply.header('etag', entityTag(found.version))
  return found
}

/** Who comes without an account, or with one that may not write, is a reader: never refused. */
async function isWriter(visit: Visit): Promise<boolean> {
  const viewer = await findViewer(visit)
  return viewer !== undefined && may(viewer, 'posts.write')
}

/** For writers any post, also by its id; for readers what is public, or what a link shows them. */
async function findFor(visit: Visit, slug: string, token: string | undefined): Promise<Post | undefined> {
  if (await isWriter(visit)) return isPostId(slug) ? findPost(slug) : findPostBySlug(slug)
  const shown = await findPostBySlug(slug, { onlyPublic: true })
  if (shown || !token) return shown
  const id = await findPreviewedPost(token)
  const previewed = id && (await findPost(id))
  return previewed && [previewed.slug, previewed.id].includes(slug) ? previewed : undefined
}

function restOf(published: string | undefined, shown: number): string {
  const limit = 200
  const query = new URLSearchParams({ ...(published && { published }), limit: String(limit), page: String(Math.floor(shown / limit) + 1) })
  return `<${env.SITE_URL}${POSTS}?${query}>; rel="next"`
}
