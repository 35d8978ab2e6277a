import { href, Link } from 'react-router'
import type { Author } from '#app/blog/posts/author.server.ts'
import type { PostHeading } from '#app/blog/posts/post.ts'
import { postWords } from '#app/content/blog.ts'
import { PostContents } from './post-contents.tsx'
import { PostFacts } from './post-facts.tsx'
import { PostPicture, type ShownPicture } from './post-picture.tsx'
import { TagList } from './tag-list.tsx'

export type ShownPost = {
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

export function BackToBlog() {
  return (
    <Link to={href('/blog')} className="link inline-flex min-h-9 items-center text-small font-medium pointer-coarse:min-h-11 print:hidden">
      {postWords.back}
    </Link>
  )
}
