import { href, Link } from 'react-router'
import type { PostCardData as Post } from '#app/blog/posts/public-post.server.ts'
import { postWords } from '#app/content/blog.ts'
import { type ListedPost, PostCard } from './post-card.tsx'

type Neighbour = Post | undefined

export function PostNeighbours({ previous, next }: { previous: Neighbour; next: Neighbour }) {
  if (!previous && !next) return null
  return (
    <nav aria-label={postWords.neighbours} className="grid border-y border-line sm:grid-cols-2 print:hidden">
      <Neighbouring post={previous} rel="prev" label={postWords.previous} />
      <Neighbouring post={next} rel="next" label={postWords.next} />
    </nav>
  )
}

function Neighbouring({ post, rel, label }: { post: Neighbour; rel: 'prev' | 'next'; label: string }) {
  if (!post) return null
  const side = rel === 'next' ? 'sm:col-start-2 sm:text-right' : 'sm:pr-6'
  return (
    <Link rel={rel} to={href('/blog/:slug', { slug: post.slug })} className={`group grid content-start gap-1 py-5 ${side}`}>
      <span className="eyebrow">{label}</span>
      <span className="font-semibold wrap-anywhere group-hover:underline">{post.title}</span>
    </Link>
  )
}

export function RelatedPosts({ posts }: { posts: readonly ListedPost[] }) {
  if (posts.length === 0) return null
  return (
    <section aria-labelledby="related" className="print:hidden">
      <h2 id="related" className="mb-6 text-h3">
        {postWords.related}
      </h2>
      <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        {posts.map((post) => (
          <PostCard key={post.id} post={post} />
        ))}
      </ul>
    </section>
  )
}
