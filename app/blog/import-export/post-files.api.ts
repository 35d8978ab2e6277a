import { Readable } from 'node:stream'
import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop, Stop } from '#app/platform/errors/stop.ts'
import { findWriter } from '#app/blog/posts/author.server.ts'
import { createPost, findPostBySlug, type PostEditor, savePost } from '#app/blog/posts/post.server.ts'
import { fileResponseSchema, textAnswer } from '#app/platform/http/response-schema.ts'
import { checkRedirect } from '#app/redirects/rules/check.server.ts'
import { redirectBody } from '#app/redirects/rules/redirect.ts'
import { listRedirects } from '#app/redirects/rules/redirect-list.server.ts'
import { createRedirect } from '#app/redirects/rules/redirect.server.ts'
import { dateOrders } from '#app/platform/reading/column-reading.ts'
import type { Blog } from './import.server.ts'
import { ARCHIVE_TOO_LARGE, conflictChoices, type ImportedFile, MOST_ARCHIVE_BYTES, POST_EXPORT, POST_IMPORT } from './post-file.ts'

const tags = ['blog']
const choice = z.object({
  dry: z
    .enum(['true', 'false'], 'true or false')
    .default('true')
    .transform((dry) => dry === 'true'),
  onConflict: z.enum(conflictChoices, 'skip or replace').default('skip'),
  dateOrder: z.enum(dateOrders, 'dmy, mdy or ymd').optional(),
})

export const postFilesApi: Api = async (app) => {
  app.addContentTypeParser(/^application\/(zip|x-zip-compressed|octet-stream)/, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.addHook('onRequest', async ({ requestContext, headers }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'posts.write')
    if (Number(headers['content-length']) > MOST_ARCHIVE_BYTES) stop('tooLarge', ARCHIVE_TOO_LARGE)
  })

  app.post(POST_IMPORT, {
    schema: {
      summary: 'Import posts from a zip archive of Markdown with front matter, or from a WordPress (WXR) or Ghost export',
      description:
        'The body is the archive or the bare export file. The response has one line of JSON per file, sent as soon as the file is processed. A dry run writes nothing. A date such as 05/11/2026 is read by the dates of all files; where these leave it open, a dry run returns its readings as dateQuestion, and an import refuses the file until dateOrder is given. While another import runs, the response is 409 with Retry-After.',
      tags,
      querystring: choice,
      response: { 200: textAnswer('A line of JSON for each file.', 'application/x-ndjson') },
    },
    bodyLimit: MOST_ARCHIVE_BYTES,
    config: {
      audit: 'posts_imported',
      limit: perVisitor('imports', 60, '1 hours'),
      takes: ['application/zip', 'application/octet-stream'],
    },
    async handler({ requestContext, query, body }, reply) {
      const editor = await allow(requestContext, 'posts.write')
      if (!Buffer.isBuffer(body)) stop('unknownMedia', 'Send a zip archive as the body, with Content-Type: application/zip.')
      const { importArchive } = await import('./import.server.ts')
      const lines = Readable.from(linesOf(await importArchive(body, query, blogOf(editor))))
      return reply.header('content-type', 'application/x-ndjson; charset=utf-8').send(lines)
    },
  })

  app.get(POST_EXPORT, {
    schema: {
      summary: 'Export all posts, including drafts, and their images as a zip archive of Markdown',
      tags,
      response: { 200: fileResponseSchema('The archive.', 'application/zip') },
    },
    config: { audit: 'posts_exported', limit: perVisitor('exports', 60, '1 hours') },
    async handler(_request, reply) {
      const { exportPosts } = await import('./export.server.ts')
      const day = new Date().toISOString().slice(0, 10)
      return reply
        .headers({ 'content-type': 'application/zip', 'content-disposition': `attachment; filename="blog-${day}.zip"` })
        .send(Readable.from(exportPosts()))
    },
  })
}

async function* linesOf(files: AsyncIterable<ImportedFile>): AsyncGenerator<string> {
  for await (const file of files) yield `${JSON.stringify(file)}\n`
}

function blogOf(editor: PostEditor): Blog {
  return {
    editorId: editor.id,
    find: async (slug) => findPostBySlug(slug),
    create: async (body) => createPost(body, editor),
    replace: async (id, body, version) => savePost(id, body, editor, version),
    lead: redirectToPost,
    findAuthor: async (email) => (editor.role === 'owner' ? findWriter(email) : undefined),
  }
}

/**
 * Redirects an old path to a post permanently, unless it does already. Returns the reason when the redirect would hide a page or make a
 * loop.
 */
async function redirectToPost(oldPath: string, slug: string, dry: boolean): Promise<string | undefined> {
  const toPath = `/blog/${slug}`
  const read = redirectBody.safeParse({ fromPath: oldPath, toPath, statusCode: 301, description: 'The address before the import' })
  if (!read.success) return read.error.issues[0]?.message ?? 'It is not a path.'
  const isThere = (await listRedirects()).some((known) => known.fromPath === read.data.fromPath && known.toPath === toPath)
  if (isThere) return undefined
  try {
    const [problem] = await checkRedirect(read.data)
    if (problem) return problem.message
    if (!dry) await createRedirect(read.data, false)
    return undefined
  } catch (error) {
    if (error instanceof Stop) return error.data
    throw error
  }
}
