import { href, Link } from 'react-router'
import type { Author } from '#app/blog/posts/author.server.ts'
import type { PostHeading } from '#app/blog/posts/post.ts'
import { postWords } from '#app/content/blog.ts'
import { PostFacts } from './post-facts.tsx'
import { PostPicture, type ShownPicture } from './post-picture.tsx'
import { TagList } from './tag-list.tsx'
import { cx } from '#app/ui/class-names.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Page } from '#app/ui/page.tsx'

type ShownPost = {
  title: string
  /** Above the text. Undefined where the text begins with it. */
  lead: string | undefined
  picture: ShownPicture | undefined
  tags: readonly string[]
  publishedAt: Date | null
  words: number
  author?: Author | null
  html: string
  headings: readonly PostHeading[]
}

export function PostArticle({ post, children }: { post: ShownPost; /** Shown next to the metadata. */ children?: React.ReactNode }) {
  const { title, lead, picture, tags, html, headings } = post
  return (
    <article className="grid gap-y-10">
      <header className="grid max-w-3xl justify-items-start gap-5">
        <BackToBlog />
        <h1 className="wrap-anywhere">{title}</h1>
        <PostFacts {...post} hasWords />
        {lead && <p className="max-w-[60ch] text-lead wrap-anywhere text-muted">{lead}</p>}
        <TagList tags={tags} />
        {children}
      </header>
      {picture && <PostPicture picture={picture} eager className="rounded-card border border-line" />}
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-12">
        <PostContents headings={headings} />
        {/* Sanitized when it was saved. */}
        <div className="prose post min-w-0 lg:col-span-8 lg:col-start-1 lg:row-start-1" dangerouslySetInnerHTML={{ __html: html }} />
      </div>
    </article>
  )
}

function BackToBlog() {
  return (
    <Link to={href('/blog')} className="link inline-flex min-h-9 items-center text-small font-medium pointer-coarse:min-h-11 print:hidden">
      {postWords.back}
    </Link>
  )
}

/** A shorter text needs no table of contents. */
const FEWEST = 3

/** The table of contents, next to the text on wide screens. */
function PostContents({ headings }: { headings: readonly PostHeading[] }) {
  if (headings.filter(({ depth }) => depth === 2).length < FEWEST) return null
  return (
    <nav
      aria-label={postWords.contents}
      className="lg:sticky lg:top-24 lg:col-span-4 lg:col-start-9 lg:row-start-1 lg:self-start print:hidden"
    >
      <p className="eyebrow mb-2">{postWords.contents}</p>
      <ol className="grid border-l border-line lg:max-h-[calc(100dvh-10rem)] lg:overflow-y-auto">
        {headings.map(({ id, depth, title }) => (
          <li key={id} className={cx(depth === 3 && 'max-lg:hidden')}>
            <a
              href={`#${id}`}
              className={cx(
                'flex min-h-9 items-center py-1 text-small text-muted hover:text-ink pointer-coarse:min-h-11',
                depth === 3 ? 'pl-8' : 'pl-4',
              )}
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Marks a page as not public yet. */
export function DraftNote({ title, text }: { title: string; text: string }) {
  return (
    <p role="note" className="rounded-card border border-edge bg-grain-wash p-4 text-small text-ink print:hidden">
      <strong>{title}.</strong> {text}
    </p>
  )
}

/** Replaces a post that does not exist or failed to load. */
export function PostMissing({ text = postWords.missing.text }: { text?: string }) {
  return (
    <Page title={postWords.missing.title} intro={text}>
      <ButtonLink to="/blog">{postWords.back}</ButtonLink>
    </Page>
  )
}
