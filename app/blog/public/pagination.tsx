import { Link } from 'react-router'
import { blogWords } from '#app/content/blog.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { type Listing, listingPath } from './listing.ts'

const { label, newer, older } = blogWords.pages

export function BlogPagination({ listing, pages }: { listing: Listing; pages: number }) {
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
