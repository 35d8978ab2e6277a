import { Link } from 'react-router'
import { listingPath } from './listing.ts'

type TagListProps = { tags: readonly string[]; /** Maximum number shown. */ most?: number }

export function TagList({ tags, most = tags.length }: TagListProps) {
  if (tags.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-2 gap-y-1">
      {tags.slice(0, most).map((tag) => (
        <li key={tag} className="max-w-full">
          <Link
            to={listingPath({ tag })}
            className="inline-flex min-h-7 max-w-full items-center rounded-full border border-line bg-sunken px-2.5 font-mono text-fine wrap-anywhere text-ink hover:border-edge pointer-coarse:min-h-11"
          >
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}
