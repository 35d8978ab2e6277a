import { Link } from 'react-router'
import { numberText } from '#app/platform/text/english-number.ts'
import { countOf } from '#app/ui/amount.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { useView } from './use-view.tsx'
import { withChanges } from './view.ts'

/**
 * The place of a page in its list, from the address's `cursor`: numbered pages, or a cursor of the next one. Without a cursor of the previous page
 * the way back is to the first one.
 */
export type ListPlace =
  | { count: number; total: number; page: number; pages: number }
  | { next: string | null | undefined; previous?: string | null; count?: number | undefined; isExact?: boolean | undefined }

type ListPagerProps = { place: ListPlace; one: string; many: string }

/** Below a list: how many rows it has, and the pages beside this one. */
export function ListPager({ place, one, many }: ListPagerProps) {
  const { params } = useView()
  const links = linksOf(place, params.has('cursor')).filter(({ cursor }) => typeof cursor === 'string')
  const text = textOf(place, one, many)
  if (!text && links.length === 0) return null
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="font-mono text-fine text-muted">
        {text}
      </p>
      <div className="flex gap-2">
        {links.map(({ label, rel, cursor }) => (
          <Link
            key={label}
            to={withChanges(params, { cursor: cursor ?? undefined })}
            rel={rel}
            preventScrollReset
            className={buttonLook('quiet', 'small')}
          >
            {label}
          </Link>
        ))}
      </div>
    </nav>
  )
}

type PageLink = { label: string; rel?: 'prev' | 'next'; /** Empty for the first page. */ cursor: string | null | undefined }

function linksOf(place: ListPlace, isLater: boolean): PageLink[] {
  if ('pages' in place) {
    const { page, pages } = place
    return [
      { label: 'Previous', rel: 'prev', cursor: page > 2 ? String(page - 1) : page === 2 ? '' : null },
      { label: 'Next', rel: 'next', cursor: page < pages ? String(page + 1) : null },
    ]
  }
  const { previous, next } = place
  if (previous === undefined)
    return [
      { label: 'Newest', cursor: isLater ? '' : null },
      { label: 'Older', rel: 'next', cursor: next },
    ]
  return [
    { label: 'Previous', rel: 'prev', cursor: previous },
    { label: 'Next', rel: 'next', cursor: next },
  ]
}

function textOf(place: ListPlace, one: string, many: string): string {
  if (place.count === undefined) return ''
  if (!('pages' in place)) return `${place.isExact === false ? 'About ' : ''}${countOf(place.count, one, many)}`
  const { count, total, page, pages } = place
  const all = countOf(total, one, many)
  return `${count === total ? all : `${numberText(count)} of ${all}`}${pages > 1 ? `, page ${page} of ${pages}` : ''}`
}
