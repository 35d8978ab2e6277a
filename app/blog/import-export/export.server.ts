import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { db } from '#app/platform/database/db.server.ts'
import { openFile } from '#app/platform/storage/storage.server.ts'
import type { Row } from '#db/tables.ts'
import { NEVER_SAVED } from '#app/blog/posts/draft.ts'
import { storedFields } from '#app/blog/posts/post.ts'
import { toPost } from '#app/blog/posts/post.server.ts'
import { writeFrontMatter } from './front-matter.server.ts'

const AT_ONCE = 50
const OWN_PICTURE = /\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\//g

/**
 * Streams every saved post that is not deleted, drafts included, as Markdown with front matter, plus its images. Images keep the paths that links
 * name, so an import needs no change.
 */
export async function* exportPosts(): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  const pictures = new Set<string>()
  for await (const post of allPosts()) {
    for (const [, id = ''] of `${post.content}\n${post.featuredImage}`.matchAll(OWN_PICTURE)) pictures.add(id)
    const file = new ZipDeflate(nameOf(post), { level: 6 })
    file.mtime = post.updatedAt
    zip.add(file)
    file.push(Buffer.from(textOf(post)), true)
    yield* chunks.splice(0)
  }
  for (const id of pictures) {
    const row = await db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst()
    const opened = row && (await openFile(`images/${id}/${row.widths.at(-1)}.webp`))
    if (!row || !opened) continue
    const file = new ZipPassThrough(`images/${id}/${row.widths.at(-1)}.webp`)
    file.mtime = row.createdAt
    zip.add(file)
    for await (const chunk of bytesOf(opened.stream)) {
      file.push(chunk)
      yield* chunks.splice(0)
    }
    file.push(new Uint8Array(), true)
  }
  zip.end()
  yield* chunks.splice(0)
}

/** Reads in batches, so that only a few posts are in memory. */
async function* allPosts(): AsyncGenerator<Row<'posts'>> {
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const posts = await db
      .selectFrom('posts')
      .selectAll()
      .where('removedAt', 'is', null)
      .where('version', '>', NEVER_SAVED)
      .where('id', '>', last)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    yield* posts
    const end = posts.at(-1)
    if (!end || posts.length < AT_ONCE) return
    last = end.id
  }
}

function bytesOf(stream: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return stream
}

function nameOf({ slug, publishedAt }: Row<'posts'>): string {
  return `posts/${publishedAt ? `${publishedAt.toISOString().slice(0, 10)}-` : ''}${slug}.md`
}

function textOf(post: Row<'posts'>): string {
  const { title, slug, content, published, publishedAt, authorId: _author, ...fields } = storedFields.parse(toPost(post))
  return writeFrontMatter({ title, slug, date: publishedAt, draft: !published, ...fields }, content)
}
