import { z } from 'zod/mini'
import { renderMarkdown } from '#app/blog/markdown/markdown.server.ts'
import { env } from '#app/platform/env.server.ts'
import { UNTITLED } from '#app/content/blog-titles.ts'
import { type DraftFields, draftFields, isFeaturedImage, readingMinutes, storedFields } from './post.ts'
import { findPreviewedPost } from './preview-token.server.ts'
import { type PublicPost, toPublicPost } from './public-post.server.ts'
import { db } from '#app/platform/database/db.server.ts'
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

const shownFields = z.omit(storedFields, { slug: true, published: true, publishedAt: true, authorId: true })

/** Applies the fields of a draft; empty required fields fall back to the saved post. */
async function withDraft(post: PublicPost, draft: DraftFields): Promise<PublicPost> {
  const { content, featuredImage } = draft
  const made = content === undefined || content === null || content === post.content ? {} : await renderMarkdown(content)
  const given = Object.entries(draft).filter(([, value]) => value !== undefined && value !== null)
  const drafted = shownFields.parse({ ...post, ...Object.fromEntries(given) })
  return {
    ...post,
    ...made,
    ...drafted,
    title: drafted.title || post.title || UNTITLED,
    excerpt: drafted.excerpt || post.excerpt,
    featuredImage: featuredImage === undefined ? post.featuredImage : shownImage(featuredImage),
  }
}

/** An incomplete URL shows no image. */
function shownImage(address: string | null): string | null {
  return address && isFeaturedImage(address, env.SITE_URL) ? address : null
}
