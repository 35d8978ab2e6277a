import { publicDay, readingTime, wordCount } from '#app/site/content/blog.ts'
import { readingMinutes } from '#app/posts/post.ts'

type PostFactsProps = { publishedAt: Date | null; words: number; author?: string | null; hasWords?: boolean }

/** When it was published, how long it takes to read, and whose it is. */
export function PostFacts({ publishedAt, words, author, hasWords = false }: PostFactsProps) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 font-mono text-fine text-muted">
      {publishedAt && <time dateTime={publishedAt.toISOString()}>{publicDay(publishedAt)}</time>}
      <span>{readingTime(readingMinutes(words))}</span>
      {hasWords && <span>{wordCount(words)}</span>}
      {author && <span>by {author}</span>}
    </p>
  )
}
