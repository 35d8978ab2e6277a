import { href, Link, type MetaDescriptor } from 'react-router'
import { may, type Handle } from '#app/access.server.ts'
import { findCurrentUser } from '#app/account/session/current-user.server.ts'
import { pictureMeta } from '#app/content/og-image/picture.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { type RequestContext, requestContextOf } from '#app/platform/http/request-context.server.ts'
import {
  findHiddenPost,
  findPublicPost,
  neighboursOf,
  type PostCardData as Post,
  type PublicPost,
  relatedPosts,
  wasRemoved,
} from '#app/blog/posts/public-post.server.ts'
import { leadOf } from '#app/blog/posts/excerpt.server.ts'
import { postWords } from '#app/content/blog.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Behaviour } from '#app/platform/islands/behaviour.tsx'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { SubscribePanel } from '#app/blog/newsletter/subscribe-form.tsx'
import { ClosingCall } from '#app/ui/closing-call.tsx'
import { DraftNote, PostArticle, PostMissing } from './post-article.tsx'
import { feedLinks } from './feed-links.ts'
import { postData } from './post-data.server.ts'
import { withPictures, sharedPicture } from './post-picture.server.ts'
import type { Route } from './+types/post.page.ts'
import { share } from './share.island.ts'
import { type ListedPost, PostCard } from './post-card.tsx'

export async function loader({ params: { slug }, context }: Route.LoaderArgs) {
  const shown = await findPublicPost(slug)
  const post =
    shown ??
    (await findForWriter(requestContextOf(context), slug)) ??
    stop((await wasRemoved(slug)) ? 'gone' : 'notFound', postWords.missing.text)
  const [neighbours, related, picture] = await Promise.all([neighboursOf(post), relatedPosts(post), sharedPicture(post)])
  const { content: _source, ...stored } = post
  const rest = { ...stored, lead: leadOf(post) }
  const [[withPicture], others] = await Promise.all([withPictures([rest]), withPictures(related)])
  return {
    post: withPicture ?? { ...rest, picture: undefined },
    isHidden: !shown,
    neighbours,
    related: others,
    url: `${env.SITE_URL}/blog/${slug}`,
    picture,
    structured: shown ? postData(post, picture.url) : [],
  }
}

/** Writers find each post under its future address. */
async function findForWriter(requestContext: RequestContext, slug: string): Promise<PublicPost | undefined> {
  const currentUser = await findCurrentUser(requestContext)
  return currentUser && may(currentUser, 'posts.write') ? findHiddenPost(slug) : undefined
}

export const handle = { access: 'public', hydration: 'islands', cache: { tags: ['post-pages'] } } satisfies Handle

export function meta({ loaderData, error }: Route.MetaArgs): MetaDescriptor[] {
  if (error || !loaderData) return pageMeta({ title: postWords.missing.title, index: false })
  const { post, isHidden, picture, structured } = loaderData
  if (isHidden) return pageMeta({ title: post.title, index: false })
  const { title, excerpt, metaTitle, metaDescription, tags, publishedAt, updatedAt } = post
  return [
    ...pageMeta({ title: metaTitle || title, description: metaDescription || excerpt, type: 'article' }),
    ...pictureMeta(picture),
    { property: 'article:published_time', content: publishedAt.toISOString() },
    { property: 'article:modified_time', content: (updatedAt > publishedAt ? updatedAt : publishedAt).toISOString() },
    ...tags.map((tag) => ({ property: 'article:tag', content: tag })),
    ...structured.map((block) => ({ 'script:ld+json': block })),
    ...feedLinks,
  ]
}

export default function PostPage({ loaderData: { post, isHidden, neighbours, related, url } }: Route.ComponentProps) {
  return (
    <div className="wrap grid gap-y-16 py-14 sm:py-20">
      {isHidden && <DraftNote {...postWords.hidden} />}
      <PostArticle post={post}>{!isHidden && <ShareButton title={post.title} excerpt={post.excerpt} url={url} />}</PostArticle>
      {!isHidden && <SubscribePanel source="post" />}
      <ClosingCall {...postWords.ending} />
      <PostNeighbours {...neighbours} />
      <RelatedPosts posts={related} />
    </div>
  )
}

/** A missing, deleted or failed post shows readers the same text; the status differs. */
export function ErrorBoundary() {
  return <PostMissing />
}

type ShareButtonProps = { title: string; excerpt: string; url: string }

/** Without script it links to an email with the URL. */
function ShareButton({ title, excerpt, url }: ShareButtonProps) {
  const { label, copied, failed } = postWords.share
  const email = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(`${excerpt}\n\n${url}`)}`
  const data = { 'data-title': title, 'data-text': excerpt, 'data-url': url, 'data-copied': copied, 'data-failed': `${failed} ${url}` }
  return (
    <Behaviour of={share} on="visible" className="flex flex-wrap items-center gap-3 print:hidden">
      <span className="noscript:hidden">
        <Button type="button" look="quiet" size="small" {...data}>
          {label}
        </Button>
      </span>
      <span className="hidden noscript:inline">
        <a href={email} className={buttonLook('quiet', 'small')}>
          {label}
        </a>
      </span>
      <span role="status" className="text-small wrap-anywhere text-muted" />
    </Behaviour>
  )
}

type Neighbour = Post | undefined

function PostNeighbours({ previous, next }: { previous: Neighbour; next: Neighbour }) {
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

function RelatedPosts({ posts }: { posts: readonly ListedPost[] }) {
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
