import type { Handle } from '#app/access.server.ts'
import { data, Link, type MetaDescriptor, redirect } from 'react-router'
import { listPublicPosts, listPublicTags } from '#app/blog/posts/post-listing.server.ts'
import { blogWords } from '#app/content/blog.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { heads } from '#app/content/seo.ts'
import { refuseSearch } from '#app/platform/text/search-text.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Page } from '#app/ui/page.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { SubscribePanel } from '#app/blog/newsletter/subscribe-form.tsx'
import { ClosingCall } from '#app/ui/closing-call.tsx'
import { numberText } from '#app/platform/text/english-number.ts'
import { feedLinks } from './feed-links.ts'
import { ListingTools } from './listing-tools.tsx'
import { type Listing, listingPath, otherSpelling, readListing } from './listing.ts'
import { type Feature, PostCard } from './post-card.tsx'
import { withPictures } from './post-picture.server.ts'
import type { Route } from './+types/blog.page.ts'

export async function loader({ request }: Route.LoaderArgs) {
  const url = new URL(request.url)
  const other = otherSpelling(url)
  if (other) throw redirect(other, 301)
  const listing = readListing(url.searchParams)
  const none = { posts: [], pages: 1, total: 0 }
  const [found, tags] = await Promise.all([refuseSearch(listing.q) ? none : listPublicPosts(listing), listPublicTags()])
  // An unknown tag or page is a 404, so it is not cached: otherwise anyone could fill the cache with invented addresses.
  const isNothing = found.posts.length === 0 && (listing.tag !== undefined || listing.page > 1)
  return data({ ...found, posts: await withPictures(found.posts), tags, listing }, isNothing ? 404 : 200)
}

export const handle = { access: 'public', cache: { tags: ['posts'], query: ['tag', 'page'] } } satisfies Handle

export function meta({ loaderData }: Route.MetaArgs): MetaDescriptor[] {
  if (!loaderData) return []
  const { listing, pages, posts } = loaderData
  const { tag, q, page } = listing
  const title = [tag ?? heads['/blog'].title, ...(page > 1 ? [`page ${page}`] : [])].join(', ')
  const turn = (rel: 'prev' | 'next', to: number) => ({ tagName: 'link', rel, href: listingPath({ ...listing, page: to }) })
  return [
    ...pageMeta({ ...heads['/blog'], title, index: q === '' && posts.length > 0 }),
    ...(page > 1 ? [turn('prev', page - 1)] : []),
    ...(page < pages ? [turn('next', page + 1)] : []),
    ...feedLinks,
  ]
}

export default function BlogPage({ loaderData: { posts, pages, total, tags, listing } }: Route.ComponentProps) {
  const isNarrowed = listing.tag !== undefined || listing.q !== '' || listing.page > 1
  return (
    <Page title={blogWords.title} eyebrow={eyebrowOf(listing, total)} intro={blogWords.introduction}>
      {(total > 0 || isNarrowed) && <ListingTools listing={listing} tags={tags} />}
      {posts.length === 0 &&
        (isNarrowed ? !refuseSearch(listing.q) && <NothingFound /> : <Empty title={blogWords.empty.title}>{blogWords.empty.text}</Empty>)}
      <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        {posts.map((post, index) => (
          <PostCard
            key={post.id}
            post={post}
            feature={index === 0 && !isNarrowed ? featureAmong(posts.length) : undefined}
            className={index > 0 && index === posts.length - 1 && isGapAfter(posts.length, isNarrowed) ? 'sm:max-lg:col-span-2' : ''}
          />
        ))}
      </ul>
      <BlogPagination listing={listing} pages={pages} />
      <div className="mt-16 grid gap-6">
        <SubscribePanel source="blog" />
        <ClosingCall {...blogWords.closing} />
      </div>
    </Page>
  )
}

/** The newest post takes as many places as the others leave, so that no row of three has a gap. */
function featureAmong(posts: number): Feature {
  if (posts % 3 === 0) return 'block'
  return posts % 3 === 1 ? 'row' : 'pair'
}

/** Two columns, after a featured post in both of them. */
function isGapAfter(posts: number, isNarrowed: boolean): boolean {
  return (isNarrowed ? posts : posts - 1) % 2 === 1
}

function eyebrowOf({ tag, q }: Listing, total: number): string {
  if (!tag && !q) return 'Blog'
  return `${numberText(total)} ${total === 1 ? 'post' : 'posts'}${tag ? ` on ${tag}` : ''}${q ? ` with “${q}”` : ''}`
}

function NothingFound() {
  const { title, text, all } = blogWords.nothingFound
  return (
    <Empty title={title} action={<ButtonLink to="/blog">{all}</ButtonLink>}>
      {text}
    </Empty>
  )
}

const { label, newer, older } = blogWords.pages

function BlogPagination({ listing, pages }: { listing: Listing; pages: number }) {
  const { page } = listing
  if (pages < 2) return null
  return (
    <nav aria-label={label} className="mt-10 flex flex-wrap items-center justify-between gap-3 print:hidden">
      <p className="font-mono text-fine text-muted">
        Page {page} of {pages}
      </p>
      <div className="flex flex-wrap gap-2">
        {page > 1 && (
          <Link rel="prev" to={listingPath({ ...listing, page: page - 1 })} className={buttonLook('quiet')}>
            {newer}
          </Link>
        )}
        {page < pages && (
          <Link rel="next" to={listingPath({ ...listing, page: page + 1 })} className={buttonLook('quiet')}>
            {older}
          </Link>
        )}
      </div>
    </nav>
  )
}
