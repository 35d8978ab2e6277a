import type { PictureText } from '#app/content/og-image/picture.ts'
import { isPostId, readingMinutes } from '#app/blog/posts/post.ts'
import { type PostCardData, publicCards, readCards } from '#app/blog/posts/public-post.server.ts'
import { publicDay, readingTime } from '#app/content/blog.ts'

const PREFIX = 'post-'

/** The text of the generated sharing image: the title, and rows of metadata. */
export function postPicture({
  id,
  title,
  tags,
  publishedAt,
  words,
}: Pick<PostCardData, 'id' | 'title' | 'tags' | 'publishedAt' | 'words'>): PictureText {
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
  }
}

/** Finds it by file name, while the post is public. */
export async function findPostPicture(name: string): Promise<PictureText | undefined> {
  const id = name.slice(PREFIX.length)
  if (!name.startsWith(PREFIX) || !isPostId(id)) return undefined
  const [post] = await readCards(publicCards().where('id', '=', id))
  return post && postPicture(post)
}
