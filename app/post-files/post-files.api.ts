import { Readable } from 'node:stream'
import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { findPostBySlug } from '#app/posts/post-row.server.ts'
import { findWriter } from '#app/posts/author.server.ts'
import { createPost, type Editor, savePost } from '#app/posts/post-write.server.ts'
import { exportPosts } from './export.server.ts'
import { leadToPost } from './old-address.server.ts'
import { type Blog, importArchive } from './import.server.ts'
import { ARCHIVE_TOO_LARGE, conflictChoices, EXPORT, IMPORT, type ImportedFile, MOST_ARCHIVE_BYTES } from './post-file.ts'
import { fileAnswer, textAnswer } from '#app/platform/answer-schema.ts'

const tags = ['blog']
const choice = z.object({
  dry: z
    .enum(['true', 'false'], 'true or false')
    .default('true')
    .transform((dry) => dry === 'true'),
  onConflict: z.enum(conflictChoices, 'skip or replace').default('skip'),
})

/** Posts in and out as files. */
export const postFilesApi: Api = async (app) => {
  app.addContentTypeParser(/^application\/(zip|x-zip-compressed|octet-stream)/, { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.addHook('onRequest', async ({ visit, headers }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(visit, 'posts.write')
    if (Number(headers['content-length']) > MOST_ARCHIVE_BYTES) stop('tooLarge', ARCHIVE_TOO_LARGE)
  })

  app.post(IMPORT, {
    schema: {
      summary: 'Take posts out of a zip archive of Markdown with front matter, or out of an export of WordPress (WXR) or Ghost',
      description:
        'The body is the archive, or the export alone. The answer is a line of JSON for each file, as soon as it is known what becomes of it. A dry run writes nothing. While another import runs, the answer is 409 with Retry-After.',
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
    async handler({ visit, query, body }, reply) {
      const editor = await allow(visit, 'posts.write')
      if (!Buffer.isBuffer(body)) stop('unknownMedia', 'Send a zip archive as the body, with Content-Type: application/zip.')
      const lines = Readable.from(linesOf(await importArchive(body, query, blogOf(editor))))
      return reply.header('content-type', 'application/x-ndjson; charset=utf-8').send(lines)
    },
  })

  app.get(EXPORT, {
    schema: {
      summary: 'All posts, drafts too, and their pictures, as a zip archive of Markdown',
      tags,
      response: { 200: fileAnswer('The archive.', 'application/zip') },
    },
    config: { audit: 'posts_exported', limit: perVisitor('exports', 60, '1 hours') },
    async handler(_request, reply) {
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

function blogOf(editor: Editor): Blog {
  return {
    editorId: editor.id,
    find: async (slug) => findPostBySlug(slug),
    create: async (body) => createPost(body, editor),
    replace: async (id, body, version) => savePost(id, body, editor, version),
    lead: leadToPost,
    findAuthor: async (email) => (editor.role === 'owner' ? findWriter(email) : undefined),
  }
}
