import { Link } from 'react-router'
import { catalogWords } from '#app/content/datasets.ts'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { CATALOG } from '#app/datasets/catalog/public-catalog.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { ColumnList } from './column-profile.tsx'
import { AboutDataset } from './dataset-facts.tsx'
import { BackLink, DatasetHead } from './dataset-head.tsx'
import { FileList } from './file-list.tsx'
import { OfferCard } from './offer-card.tsx'
import { DatasetSection, FoldedSection, FoldedSections } from './part.tsx'
import { SampleTable } from './sample-table.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Related, Versions } from './last-parts.tsx'

/** The public facts of a dataset, with sample rows. */
export function PublicDataset({ detail }: { detail: ProductDetail }) {
  const { slug, name, checkoutUrl, columns, sampleData, files, downloadUrl, apiEndpoint, versions, related } = detail
  return (
    <div className="wrap grid grid-cols-1 gap-y-12 py-8 sm:gap-y-14 sm:py-14">
      <DatasetHead
        detail={detail}
        back={<BackLink to={CATALOG}>{catalogWords.title}</BackLink>}
        offer={
          <OfferCard detail={detail}>
            <SignIn next={checkoutUrl ?? `${MARKETPLACE}/${slug}`}>
              {checkoutUrl ? 'Sign in to buy' : apiEndpoint && !downloadUrl ? 'Sign in for the API' : 'Sign in to download'}
            </SignIn>
          </OfferCard>
        }
      />
      {sampleData && (
        <DatasetSection id="sample" title="First rows">
          <SampleTable name={name} columns={columns} sampleData={sampleData} />
        </DatasetSection>
      )}
      <FoldedSections>
        <AboutDataset detail={detail} />
        {columns.length > 0 && (
          <FoldedSection id="columns" title="Columns">
            <ColumnList columns={columns} />
          </FoldedSection>
        )}
        {files.length > 0 && (
          <FoldedSection id="files" title="Files">
            <FileList files={files} />
          </FoldedSection>
        )}
        <Versions versions={versions} />
      </FoldedSections>
      <Related related={related} />
    </div>
  )
}

function SignIn({ next: page, children }: { next: string; children: string }) {
  const next = encodeURIComponent(page)
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
