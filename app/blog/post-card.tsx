import { href, Link } from 'react-router'
import type { PostCard as Post } from '#app/posts/public-post.server.ts'
import { Card } from '#app/ui/card.tsx'
import { PostFacts } from './post-facts.tsx'
import { PostPicture } from './post-picture.tsx'
import { TagList } from './tag-list.tsx'

const MOST_TAGS = 3

/** A post in the listing. All of the card leads to it; its tags lead elsewhere. */
export function PostCard({ post, wide = false }: { post: Post; wide?: boolean }) {
  const { slug, title, excerpt, featuredImage, tags, publishedAt, words } = post
  return (
    <Card as="li" pad="none" className={wide ? 'sm:col-span-2 lg:grid lg:grid-cols-2' : ''}>
      <article className="relative flex h-full flex-col lg:col-span-2 lg:contents">
        {featuredImage && <PostPicture src={featuredImage} eager={wide} className="lg:h-full" />}
        <div className="relative flex grow flex-col gap-3 p-5 sm:p-6">
          <PostFacts publishedAt={publishedAt} words={words} />
          <h2 className={wide ? 'text-h2' : 'text-h3'}>
            <Link to={href('/blog/:slug', { slug })} className="after:absolute after:inset-0 hover:underline">
              {title}
            </Link>
          </h2>
          <p className="line-clamp-4 text-small text-muted">{excerpt}</p>
          <div className="relative mt-auto w-fit max-w-full pt-1">
            <TagList tags={tags} most={MOST_TAGS} />
          </div>
        </div>
      </article>
    </Card>
  )
}
