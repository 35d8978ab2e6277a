import { renderMarkdown } from '#app/markdown/markdown.server.ts'
import { env } from '#app/platform/env.server.ts'
import { isFeaturedImage, readingMinutes } from '#app/posts/post.ts'
import { findPreviewedPost } from '#app/posts/preview-link.server.ts'
import { type PublicPost, toPublicPost } from '#app/posts/public-post.server.ts'
import { db } from '#app/platform/db.server.ts'
import { type DraftFields, draftFields } from './draft.ts'
import type { RenderedPreview } from './preview.ts'

/** The content as it will be published: by the same steps. */
export async function renderPreview(content: string): Promise<RenderedPreview> {
  const made = await renderMarkdown(content)
  return { ...made, readingMinutes: readingMinutes(made.words) }
}

/** What a link shows: the post with what is being written of it in place of what is saved. Nothing once the link is no good. */
export async function findPreview(token: string): Promise<PublicPost | undefined> {
  const id = await findPreviewedPost(token)
  if (!id) return undefined
  const [post, draft] = await Promise.all([
    db.selectFrom('posts').selectAll().where('id', '=', id).where('removedAt', 'is', null).executeTakeFirst(),
    db.selectFrom('postDrafts').select('fields').where('postId', '=', id).executeTakeFirst(),
  ])
  if (!post) return undefined
  const shown = await toPublicPost({ ...post, publishedAt: post.publishedAt ?? new Date() })
  return draft ? withDraft(shown, draftFields.parse(draft.fields)) : shown
}

/** What is typed, where anything is: half a form shows the rest as it was. */
async function withDraft(
  post: PublicPost,
  { title, excerpt, content, featuredImage, tags, metaTitle, metaDescription }: DraftFields,
): Promise<PublicPost> {
  const made = content === undefined || content === null || content === post.content ? {} : { content, ...(await renderMarkdown(content)) }
  return {
    ...post,
    ...made,
    title: title || post.title,
    excerpt: excerpt || post.excerpt,
    featuredImage: featuredImage === undefined ? post.featuredImage : shownImage(featuredImage),
    tags: tags ?? post.tags,
    metaTitle: metaTitle ?? post.metaTitle,
    metaDescription: metaDescription ?? post.metaDescription,
  }
}

/** An address that is not finished is no picture yet. */
function shownImage(address: string | null): string | null {
  return address && isFeaturedImage(address, env.SITE_URL) ? address : null
}
