import type { PictureText } from '#app/picture/picture.ts'
import { isPostId, readingMinutes } from '#app/posts/post.ts'
import { type PostCard, publicCards, readCards } from '#app/posts/public-post.server.ts'
import { publicDay, readingTime } from '#app/site/content/blog.ts'

const PREFIX = 'post-'

/** What the picture of a post shows where the post is shared: its title, and what can be said of it in rows. */
export function postPicture({
  id,
  title,
  tags,
  publishedAt,
  words,
}: Pick<PostCard, 'id' | 'title' | 'tags' | 'publishedAt' | 'words'>): PictureText {
  return {
    name: PREFIX + id,
    mess: 'text',
    kicker: 'blog',
    title,
    rows: [
      ['published', publicDay(publishedAt)],
      ['reading_time', readingTime(readingMinutes(words))],
      ...(tags[0] ? [['topic', tags[0]] as const] : []),
    ],
  }
}

/** The same by the name in its address, as long as the post is public. */
export async function findPostPicture(name: string): Promise<PictureText | undefined> {
  const id = name.slice(PREFIX.length)
  if (!name.startsWith(PREFIX) || !isPostId(id)) return undefined
  const [post] = await readCards(publicCards().where('id', '=', id))
  return post && postPicture(post)
}
