import { Link } from 'react-router'
import { MARKETPLACE } from '#app/datasets/addresses.ts'
import type { ProductDetail } from '#app/datasets/product.ts'
import { Part } from '#app/dataset-view/part.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { siteAddress } from './site-address.ts'

/** The same rows by program, with this dataset's own address. */
export function ApiPart({ detail: { slug, columns, apiEndpoint } }: { detail: ProductDetail }) {
  const example = columns.find(({ topValues }) => topValues[0] !== undefined)
  const query = example ? `?${new URLSearchParams({ [`${example.name}[eq]`]: example.topValues[0]?.value ?? '' })}&limit=100` : '?limit=100'
  return (
    <Part id="api" title="API Access">
      <p className="max-w-[68ch] text-small text-muted">
        Rows as JSON, JSON Lines, CSV or Parquet, with filters, order and paging. A key takes the place of your sign-in.
      </p>
      {/* A frame that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} className="overflow-x-auto rounded-card border border-line bg-sunken p-4 text-fine leading-relaxed">
        <code>{`curl -g '${siteAddress()}${apiEndpoint}${query}' \\\n  -H 'Authorization: Bearer YOUR_KEY'`}</code>
      </pre>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/account/keys" look="quiet" size="small">
          API keys
        </ButtonLink>
        <ButtonLink to={`/developers?dataset=${slug}`} look="quiet" size="small">
          Reference
        </ButtonLink>
        <Link to={`${MARKETPLACE}/${slug}/query`} className="link inline-flex min-h-9 items-center px-1 text-small pointer-coarse:min-h-11">
          Or ask with SQL
        </Link>
      </div>
    </Part>
  )
}
