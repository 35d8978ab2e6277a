import { Link } from 'react-router'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { DatasetSection } from './part.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { siteAddress } from './site-address.ts'

/** API examples with this dataset's own URL. */
export function ApiPart({ detail: { slug, columns, apiEndpoint } }: { detail: ProductDetail }) {
  const example = columns.find(({ topValues }) => topValues[0] !== undefined)
  const query = example ? `?${new URLSearchParams({ [`${example.name}[eq]`]: example.topValues[0]?.value ?? '' })}&limit=100` : '?limit=100'
  return (
    <DatasetSection id="api" title="API Access">
      <p className="max-w-[68ch] text-small text-muted">
        Rows as JSON, JSON Lines, CSV or Parquet, with filters, sorting and paging. Authenticate with an API key.
      </p>
      {/* A scrolling frame must be reachable by keyboard. */}
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
          Or query with SQL
        </Link>
      </div>
    </DatasetSection>
  )
}
