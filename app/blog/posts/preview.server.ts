import { renderMarkdown } from '#app/blog/markdown/markdown.server.ts'
import { env } from '#app/platform/env.server.ts'
import { isFeaturedImage, readingMinutes } from './post.ts'
import { findPreviewedPost } from './preview-token.server.ts'
import { type PublicPost, toPublicPost } from './public-post.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { type DraftFields, draftFields } from './draft.ts'
import type { RenderedPreview } from './preview.ts'

/** Renders the content like a published post. */
export async function renderPreview(content: string): Promise<RenderedPreview> {
  const made = await renderMarkdown(content)
  return { ...made, readingMinutes: readingMinutes(made.words) }
}

/** The post of a link, with its unsaved draft applied; `undefined` when the link is invalid. */
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

/** Applies the fields of a draft; empty required fields fall back to the saved post. */
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

/** An incomplete URL shows no image. */
function shownImage(address: string | null): string | null {
  return address && isFeaturedImage(address, env.SITE_URL) ? address : null
}
