import { imageIdOf, sizesOf } from '#app/images/picture.ts'
import { findPictures } from '#app/images/picture.server.ts'
import { env } from '#app/platform/env.server.ts'
import { isImageAddress } from '#app/platform/image-address.ts'
import type { ShownPicture } from './post-picture.tsx'

/** Posts with what is known of their pictures: of our own every size, of others the address alone. */
export async function withPictures<Post extends { featuredImage: string | null }>(
  posts: readonly Post[],
): Promise<(Post & { picture: ShownPicture | undefined })[]> {
  const ids = posts.flatMap(({ featuredImage }) => imageIdOf(featuredImage ?? '') ?? [])
  const found = await findPictures(ids)
  return posts.map((post) => {
    const src = post.featuredImage && isImageAddress(post.featuredImage, env.SITE_URL) ? post.featuredImage : undefined
    const stored = src ? found.get(imageIdOf(src) ?? '') : undefined
    return { ...post, picture: src ? { src, sizes: stored && sizesOf(stored) } : undefined }
  })
}
