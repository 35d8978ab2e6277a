import { imageIdOf, sizesOf } from '#app/blog/images/picture.ts'
import { findImageReferences } from '#app/blog/images/picture.server.ts'
import { env } from '#app/platform/env.server.ts'
import { isImageAddress } from '#app/platform/text/image-address.ts'
import type { ShownPicture } from './post-picture.tsx'

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
