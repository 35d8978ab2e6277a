import { href, Link } from 'react-router'
import type { PostCardData as PublicCard } from '#app/blog/posts/public-post.server.ts'
import { Card } from '#app/ui/card.tsx'
import { cx } from '#app/ui/class-names.ts'
import { PostCover } from './post-cover.tsx'
import { PostFacts } from './post-facts.tsx'
import { PostPicture, type ShownPicture } from './post-picture.tsx'
import { TagList } from './tag-list.tsx'

export type ListedPost = PublicCard & { picture: ShownPicture | undefined }

const MOST_TAGS = 3

/** The part of the grid that the featured post takes: two columns, a whole row, or two columns of two rows. */
const features = {
  pair: { card: 'sm:col-span-2', article: 'lg:grid lg:grid-cols-2', cover: 'lg:h-full lg:border-r lg:border-b-0' },
  row: { card: 'sm:col-span-2 lg:col-span-3', article: 'lg:grid lg:grid-cols-2', cover: 'lg:h-full lg:border-r lg:border-b-0' },
  block: { card: 'sm:col-span-2 lg:row-span-2', article: 'lg:flex-col-reverse', cover: 'lg:min-h-0 lg:grow lg:border-t lg:border-b-0' },
}

export type Feature = keyof typeof features

type PostCardProps = {
  post: ListedPost
  /** Of the featured post. */ feature?: Feature | undefined
  /** Fills its row. */ className?: string
}

/** A post in the listing. The whole card links to it, except for its tags. */
export function PostCard({ post, feature, className }: PostCardProps) {
  const { slug, title, excerpt, picture, tags, publishedAt, words, author } = post
  const place = feature && features[feature]
  return (
    <Card as="li" pad="none" className={cx('relative', place?.card, className)}>
      <article className={cx('flex h-full flex-col', place?.article)}>
        {picture ? (
          <PostPicture picture={picture} isDecoration eager={place !== undefined} className={place?.cover ?? ''} />
        ) : (
          // Drawn, not chosen: on a phone, the newest post has one, and the others are a list.
          <PostCover post={post} className={place?.cover ?? 'max-sm:hidden'} />
        )}
        <div className={cx('flex flex-col gap-3 p-5 sm:p-6', feature === 'block' ? 'lg:p-8' : 'grow', feature === 'row' && 'lg:p-10')}>
          <PostFacts publishedAt={publishedAt} words={words} author={author} />
          <h2 className={feature ? 'text-h2' : 'text-h3'}>
            <Link to={href('/blog/:slug', { slug })} className="after:absolute after:inset-0 hover:underline">
              {title}
            </Link>
          </h2>
          <p className={cx('text-muted', feature ? 'max-w-[56ch]' : 'text-small')}>{excerpt}</p>
          <div className="relative mt-auto w-fit max-w-full pt-1">
            <TagList tags={tags} most={MOST_TAGS} />
          </div>
        </div>
      </article>
    </Card>
  )
}
