import type { PictureText, PreviewImage } from '#app/content/og-image/picture.ts'
import { pictureOf } from '#app/content/og-image/picture.server.ts'
import { findImageReferences } from '#app/blog/images/picture.server.ts'
import { imageIdOf, sizesOf } from '#app/blog/images/picture.ts'
import { env } from '#app/platform/env.server.ts'
import { isImageAddress } from '#app/platform/text/image-address.ts'
import { isPostId, readingMinutes } from '#app/blog/posts/post.ts'
import { type PostCardData, publicCards, readCards } from '#app/blog/posts/public-post.server.ts'
import { publicDay, readingTime } from '#app/content/blog.ts'
import type { ShownPicture } from './post-picture.tsx'

const PREFIX = 'post-'

type Shared = Pick<PostCardData, 'id' | 'title' | 'tags' | 'publishedAt' | 'words' | 'featuredImage' | 'featuredImageAlt'>

/** The picture of a shared post: its cover, or one drawn from its title. The server never fetches a cover of another site. */
export async function sharedPicture(post: Shared): Promise<PreviewImage> {
  const { featuredImage: cover, featuredImageAlt, title } = post
  const text = await postPicture(post)
  if (!cover || text.photo || imageIdOf(cover) || !isImageAddress(cover, env.SITE_URL)) return pictureOf(text)
  return { url: new URL(cover, env.SITE_URL).href, alt: featuredImageAlt || title }
}

/** In pixels, of what networks show. */
const ENOUGH = 1200

/** A cover from the library, or the title and rows of metadata. */
async function postPicture({ id, title, tags, publishedAt, words, featuredImage, featuredImageAlt }: Shared): Promise<PictureText> {
  const imageId = imageIdOf(featuredImage ?? '')
  const stored = imageId && (await findImageReferences([imageId])).get(imageId)
  const width = stored && (stored.widths.find((each) => each >= ENOUGH) ?? stored.widths.at(-1))
  return {
    name: PREFIX + id,
    backdrop: 'text',
    kicker: 'blog',
    title,
    rows: [
      ['published', publicDay(publishedAt)],
      ['reading_time', readingTime(readingMinutes(words))],
      ...(tags[0] ? [['topic', tags[0]] as const] : []),
    ],
    ...(width && { photo: { file: `images/${imageId}/${width}.webp`, alt: featuredImageAlt || title } }),
  }
}

/** Finds it by file name, while the post is public. */
export async function findPostPicture(name: string): Promise<PictureText | undefined> {
  const id = name.slice(PREFIX.length)
  if (!name.startsWith(PREFIX) || !isPostId(id)) return undefined
  const [post] = await readCards(publicCards().where('id', '=', id))
  return post && postPicture(post)
}

/** Adds image sizes to posts: every size of library images, only the URL of external ones. */
export async function withPictures<Post extends { featuredImage: string | null; featuredImageAlt: string | null }>(
  posts: readonly Post[],
): Promise<(Post & { picture: ShownPicture | undefined })[]> {
  const ids = posts.flatMap(({ featuredImage }) => imageIdOf(featuredImage ?? '') ?? [])
  const found = await findImageReferences(ids)
  return posts.map((post) => {
    const src = post.featuredImage && isImageAddress(post.featuredImage, env.SITE_URL) ? post.featuredImage : undefined
    const stored = src ? found.get(imageIdOf(src) ?? '') : undefined
    return { ...post, picture: src ? { src, alt: post.featuredImageAlt ?? '', sizes: stored && sizesOf(stored) } : undefined }
  })
}
