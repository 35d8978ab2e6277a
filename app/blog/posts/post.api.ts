import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { allow, may } from '#app/access.server.ts'
import { findCurrentUser } from '#app/account/session/current-user.server.ts'
import { env } from '#app/platform/env.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { entityTag, expectedVersion } from '#app/platform/http/entity-tag.ts'
import { isPostId, publishedPost, postBody, type Post, POSTS } from './post.ts'
import { findPosts, listPosts } from './post-list.server.ts'
import { postList, postQuery } from './post-query.ts'
import { createPost, findPost, findPostBySlug, removePost, restorePost, savePost } from './post.server.ts'
import { changedPosts, POST_BULK, postBulk, postBulkUndo, undonePosts } from './post-bulk.ts'
import { changePosts, undoPostChanges } from './post-bulk.server.ts'
import { findPreviewedPost } from './preview-token.server.ts'
import { wasRemoved } from './public-post.server.ts'

const byName = z.object({ idOrSlug: z.string().max(200, 'Post not found.') })
const tags = ['blog']
const preview = z.object({ preview: z.string().max(200, 'Preview link not found.').optional() })
const unknown = () => stop('notFound', 'Post not found.')
/** In bytes: the longest content with every character escaped, plus all other fields. */
const bodyLimit = 2 * 1024 * 1024

export const postApi: Api = async (app) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.get(POSTS, {
    schema: {
      summary: 'List posts, newest first; without staff access only public ones',
      tags,
      querystring: postQuery,
      response: { 200: postList },
    },
    config: { limit: perVisitor('blog', 300, '1 minutes') },
    async handler({ requestContext, query, url }, reply) {
      const onlyPublic = !(await isWriter(requestContext))
      if (/[?&](page|limit|q|tag|status)=/.test(url)) return findPosts({ ...query, onlyPublic })
      const { posts, total } = await listPosts({ published: query.published, onlyPublic })
      reply.headers({ 'x-total-count': total, ...(posts.length < total && { link: restOf(query.published, posts.length) }) })
      return posts
    },
  })

  app.get(`${POSTS}/:idOrSlug`, {
    schema: { summary: 'Read one post', tags, params: byName, querystring: preview, response: { 200: publishedPost } },
    config: { limit: perVisitor('blog', 300, '1 minutes') },
    async handler({ requestContext, params: { idOrSlug: slug }, query }, reply) {
      const found = await findFor(requestContext, slug, query.preview)
      if (found) return answer(reply, found)
      return (await wasRemoved(slug)) ? stop('gone', 'This post has been deleted.') : unknown()
    },
  })

  app.register(writes)
}

const writes: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }) => void (await allow(requestContext, 'posts.write')))

  app.post(POSTS, {
    schema: {
      summary: 'Create a post; Idempotency-Key: an id that you have chosen for it, or that of its draft',
      tags,
      headers: z.looseObject({ 'idempotency-key': z.uuid('The idempotency key of a post is its id, a UUID.').optional() }),
      body: postBody,
      response: { 201: publishedPost },
    },
    config: { audit: 'post_created' },
    bodyLimit,
    async handler({ requestContext, body, headers }, reply) {
      const editor = await allow(requestContext, 'posts.write')
      return answer(reply.status(201), await createPost(body, editor, headers['idempotency-key']))
    },
  })

  app.put(`${POSTS}/:idOrSlug`, {
    schema: {
      summary: 'Update a post; If-Match: the version you last saw',
      tags,
      params: byName,
      body: postBody,
      response: { 200: publishedPost },
    },
    config: { audit: 'post_changed' },
    bodyLimit,
    async handler({ requestContext, params: { idOrSlug }, body, headers }, reply) {
      const editor = await allow(requestContext, 'posts.write')
      return answer(reply, (await savePost(await idOf(idOrSlug), body, editor, expectedVersion(headers['if-match']))) ?? unknown())
    },
  })

  app.delete(`${POSTS}/:idOrSlug`, {
    schema: { summary: 'Delete a post', tags, params: byName, response: { 204: z.null() } },
    config: { audit: 'post_removed' },
    async handler({ params: { idOrSlug }, headers }, reply) {
      if (!(await removePost(await idOf(idOrSlug), expectedVersion(headers['if-match'])))) unknown()
      return reply.status(204).send(null)
    },
  })

  app.post(`${POSTS}/:id/restore`, {
    schema: {
      summary: 'Undo the deletion of a post',
      tags,
      params: z.object({ id: z.uuid('Post not found.') }),
      response: { 200: publishedPost },
    },
    handler: async ({ requestContext, params: { id } }, reply) =>
      answer(reply, (await restorePost(id, await allow(requestContext, 'posts.write'))) ?? unknown()),
  })

  app.post(POST_BULK, {
    schema: { summary: 'Publish, unpublish, tag or delete several posts', tags, body: postBulk, response: { 200: changedPosts } },
    config: { audit: 'posts_changed' },
    handler: async ({ requestContext, body }) => changePosts(body, await allow(requestContext, 'posts.write')),
  })

  app.post(`${POST_BULK}/undo`, {
    schema: { summary: 'Undo a change of several posts', tags, body: postBulkUndo, response: { 200: undonePosts } },
    config: { audit: 'posts_change_undone' },
    handler: async ({ requestContext, body }) => undoPostChanges(body, await allow(requestContext, 'posts.write')),
  })
}

async function idOf(idOrSlug: string): Promise<string> {
  return isPostId(idOrSlug) ? idOrSlug : ((await findPostBySlug(idOrSlug))?.id ?? unknown())
}

function answer(reply: FastifyReply, found: Post): Post {
  reply.header('etag', entityTag(found.version))
  return found
}

/** Requests without an account, or without permission to write, count as readers instead of being refused. */
async function isWriter(requestContext: RequestContext): Promise<boolean> {
  const currentUser = await findCurrentUser(requestContext)
  return currentUser !== undefined && may(currentUser, 'posts.write')
}

/** Writers find any post, also by id; readers find public posts, or the one of their preview link. */
async function findFor(requestContext: RequestContext, slug: string, token: string | undefined): Promise<Post | undefined> {
  if (await isWriter(requestContext)) return isPostId(slug) ? findPost(slug) : findPostBySlug(slug)
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
