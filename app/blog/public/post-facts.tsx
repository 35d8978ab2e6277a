import { Avatar } from '#app/ui/avatar.tsx'
import { publicDay, readingTime, wordCount } from '#app/content/blog.ts'
import type { Author } from '#app/blog/posts/author.server.ts'
import { readingMinutes } from '#app/blog/posts/post.ts'

type PostFactsProps = { publishedAt: Date | null; words: number; author?: Author | null; hasWords?: boolean }

export function PostFacts({ publishedAt, words, author, hasWords = false }: PostFactsProps) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 font-mono text-fine text-muted">
      {publishedAt && <time dateTime={publishedAt.toISOString()}>{publicDay(publishedAt)}</time>}
      <span>{readingTime(readingMinutes(words))}</span>
      {hasWords && <span>{wordCount(words)}</span>}
      {author && (
        <span className="inline-flex min-w-0 items-center gap-2">
          <Avatar src={author.picture ?? undefined} label={author.name} size="tiny" />
          <span className="min-w-0 wrap-anywhere">by {author.name}</span>
        </span>
      )}
    </p>
  )
}
