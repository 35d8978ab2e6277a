import { publicDay, readingTime, wordCount } from '#app/content/blog.ts'
import { readingMinutes } from '#app/blog/posts/post.ts'

type PostFactsProps = { publishedAt: Date | null; words: number; author?: string | null; hasWords?: boolean }

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
