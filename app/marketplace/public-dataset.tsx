import { Link } from 'react-router'
import { MARKETPLACE } from '#app/datasets/addresses.ts'
import type { ProductDetail } from '#app/datasets/product.ts'
import { ColumnList } from '#app/dataset-view/column-profile.tsx'
import { DatasetFacts } from '#app/dataset-view/dataset-facts.tsx'
import { DatasetHead } from '#app/dataset-view/dataset-head.tsx'
import { FileList } from '#app/dataset-view/file-list.tsx'
import { OfferCard } from '#app/dataset-view/offer-card.tsx'
import { Part } from '#app/dataset-view/part.tsx'
import { SampleTable } from '#app/dataset-view/sample-table.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { BackToMarketplace } from './back-to-marketplace.tsx'
import { LastParts } from './last-parts.tsx'

/** Everything that anyone may know of a dataset; of its rows the sample. */
export function PublicDataset({ detail }: { detail: ProductDetail }) {
  const { slug, name, columns, sampleData, files, downloadUrl, apiEndpoint } = detail
  return (
    <div className="wrap grid grid-cols-1 gap-y-14 py-12 sm:py-16">
      <DatasetHead
        detail={detail}
        back={<BackToMarketplace />}
        offer={
          <OfferCard detail={detail}>
            <SignIn slug={slug}>{apiEndpoint && !downloadUrl ? 'Sign in for the API' : 'Sign in to download'}</SignIn>
          </OfferCard>
        }
      />
      <DatasetFacts detail={detail} />
      {sampleData && (
        <Part id="sample" title="First rows">
          <SampleTable name={name} columns={columns} sampleData={sampleData} />
        </Part>
      )}
      {columns.length > 0 && (
        <Part id="columns" title="Columns">
          <ColumnList columns={columns} />
        </Part>
      )}
      {files.length > 0 && (
        <Part id="files" title="Files">
          <FileList files={files} />
        </Part>
      )}
      <LastParts detail={detail} />
    </div>
  )
}

function SignIn({ slug, children }: { slug: string; children: string }) {
  const next = encodeURIComponent(`${MARKETPLACE}/${slug}`)
  return (
    <div className="grid gap-3">
      <ButtonLink to={`/login?next=${next}`}>{children}</ButtonLink>
      <p className="text-small text-muted">
        No account yet?{' '}
        <Link to={`/login?mode=sign-up&next=${next}`} className="link">
          Create one
        </Link>
      </p>
    </div>
  )
}
