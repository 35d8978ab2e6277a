import { Part } from '#app/dataset-view/part.tsx'
import { RelatedList } from '#app/dataset-view/related-list.tsx'
import { VersionList } from '#app/dataset-view/version-list.tsx'
import type { ProductDetail } from '#app/datasets/product.ts'

/** How the page of a dataset ends, for everyone: how it came about, and what is like it. */
export function LastParts({ detail: { versions, related } }: { detail: ProductDetail }) {
  return (
    <>
      {versions.length > 0 && (
        <Part id="versions" title="Versions">
          <VersionList versions={versions} />
        </Part>
      )}
      {related.length > 0 && (
        <Part id="related" title="Related datasets">
          <RelatedList related={related} />
        </Part>
      )}
    </>
  )
}
