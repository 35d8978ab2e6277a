import { DatasetSection } from './part.tsx'
import { RelatedList } from './related-list.tsx'
import { VersionList } from './version-list.tsx'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'

/** The end of a dataset page for everyone: its versions and related datasets. */
export function LastParts({ detail: { versions, related } }: { detail: ProductDetail }) {
  return (
    <>
      {versions.length > 0 && (
        <DatasetSection id="versions" title="Versions">
          <VersionList versions={versions} />
        </DatasetSection>
      )}
      {related.length > 0 && (
        <DatasetSection id="related" title="Related datasets">
          <RelatedList related={related} />
        </DatasetSection>
      )}
    </>
  )
}
