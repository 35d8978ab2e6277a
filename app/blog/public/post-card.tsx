import { href, Link } from 'react-router'
import type { PostCardData as PublicCard } from '#app/blog/posts/public-post.server.ts'
import { Card } from '#app/ui/card.tsx'
import { cx } from '#app/ui/class-names.ts'
import { PostFacts } from './post-facts.tsx'
import { PostPicture, type ShownPicture } from './post-picture.tsx'
import { TagList } from './tag-list.tsx'

export type ListedPost = PublicCard & { picture: ShownPicture | undefined }

const MOST_TAGS = 3

/** A post in the listing. The whole card links to it, except for its tags. */
export function PostCard({ post, wide = false }: { post: ListedPost; wide?: boolean }) {
  const { slug, title, excerpt, picture, tags, publishedAt, words } = post
  return (
    <Card as="li" pad="none" className={cx('relative', wide && 'sm:col-span-2')}>
      <article className={cx('flex h-full flex-col', wide && picture && 'lg:grid lg:grid-cols-2')}>
        {picture && <PostPicture picture={picture} eager={wide} className={wide ? 'lg:h-full' : ''} />}
        <div className="flex grow flex-col gap-3 p-5 sm:p-6">
          <PostFacts publishedAt={publishedAt} words={words} />
          <h2 className={wide ? 'text-h2' : 'text-h3'}>
            <Link to={href('/blog/:slug', { slug })} className="after:absolute after:inset-0 hover:underline">
              {title}
            </Link>
          </h2>
          <p className="text-small text-muted">{excerpt}</p>
          <div className="relative mt-auto w-fit max-w-full pt-1">
            <TagList tags={tags} most={MOST_TAGS} />
          </div>
        </div>
      </article>
    </Card>
  )
}
