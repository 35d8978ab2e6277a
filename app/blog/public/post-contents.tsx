import type { PostHeading } from '#app/blog/posts/post.ts'
import { postWords } from '#app/content/blog.ts'
import { cx } from '#app/ui/class-names.ts'

/** A shorter text needs no table of contents. */
const FEWEST = 3

/** The table of contents, next to the text on wide screens. */
export function PostContents({ headings }: { headings: readonly PostHeading[] }) {
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
