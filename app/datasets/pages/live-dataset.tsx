import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { z } from 'zod/mini'
import { OWN_DOWNLOADS, PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { ownDownload } from '#app/datasets/download/download.ts'
import { type ProductDetail, productDetail } from '#app/datasets/catalog/product.ts'
import { ColumnList } from './column-profile.tsx'
import { DatasetFacts } from './dataset-facts.tsx'
import { DatasetHead } from './dataset-head.tsx'
import { DatasetSection } from './part.tsx'
import { SampleTable } from './sample-table.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { ChoiceDownload } from './choice-download.tsx'
import { FilterChips } from './filter-chips.tsx'
import { RowsPanel } from './rows-panel.tsx'
import { usePicking } from './use-picking.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ApiPart } from './api-part.tsx'
import { BackToMarketplace } from './back-to-marketplace.tsx'
import { FilesPart } from './files-part.tsx'
import { LiveOffer } from './live-offer.tsx'
import { RequestPart } from './request-part.tsx'
import { LastParts } from './last-parts.tsx'

/** The dataset page of a signed-in user. */
export function LiveDataset({ slug, name }: { slug: string; name: string }) {
  const detail = useQuery(apiQuery(`${PRODUCTS}/${slug}`, productDetail))
  const downloads = useQuery(apiQuery(OWN_DOWNLOADS, z.array(ownDownload)))
  useArriveAt(detail.isSuccess)
  if (detail.isPending) {
    return (
      <Begun name={name}>
        <Loading>Loading the dataset...</Loading>
        <Skeleton lines={10} />
      </Begun>
    )
  }
  if (detail.isError) {
    return (
      <Begun name={name}>
        <Failed as="h2" title="Could not load the dataset" error={detail.error} retry={detail.refetch} />
      </Begun>
    )
  }
  const isDownloaded = downloads.data?.some(({ productId }) => productId === detail.data.id) ?? false
  return <Dataset detail={detail.data} isDownloaded={isDownloaded} />
}

/** The heading and the back link, shown while the API loads. */
function Begun({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="wrap grid grid-cols-1 gap-5 py-8 sm:py-12">
      <BackToMarketplace />
      <h1 className="wrap-anywhere">{name}</h1>
      <div>{children}</div>
    </div>
  )
}

/** Scrolls to the URL's fragment once its section exists. */
function useArriveAt(isThere: boolean) {
  const { hash } = useLocation()
  useEffect(() => {
    const part = isThere && hash ? document.getElementById(hash.slice(1)) : null
    part?.scrollIntoView()
  }, [isThere, hash])
}

function Dataset({ detail, isDownloaded }: { detail: ProductDetail; isDownloaded: boolean }) {
  const { access, files } = detail
  const has = access === 'granted'
  return (
    <div className="wrap grid grid-cols-1 gap-y-12 py-8 sm:py-12">
      <DatasetHead detail={detail} back={<BackToMarketplace />} offer={<LiveOffer detail={detail} isDownloaded={isDownloaded} />} />
      <DatasetFacts detail={detail} />
      {!has && <RequestPart detail={detail} />}
      {has ? <RowsPart detail={detail} /> : <SamplePart detail={detail} />}
      {detail.columns.length > 0 && <ColumnsPart detail={detail} has={has} />}
      {files.length > 0 && <FilesPart detail={detail} has={has} />}
      {detail.apiEndpoint && <ApiPart detail={detail} />}
      <LastParts detail={detail} />
    </div>
  )
}

function RowsPart({ detail }: { detail: ProductDetail }) {
  if (!detail.updatedAt) return null
  return (
    <DatasetSection id="rows" title="Rows">
      <RowsPanel detail={detail} actions={detail.downloadUrl && <ChoiceDownload detail={detail} />} />
    </DatasetSection>
  )
}

function SamplePart({ detail: { name, columns, sampleData } }: { detail: ProductDetail }) {
  if (!sampleData) return null
  return (
    <DatasetSection id="sample" title="First rows">
      <SampleTable name={name} columns={columns} sampleData={sampleData} />
    </DatasetSection>
  )
}

function ColumnsPart({ detail, has }: { detail: ProductDetail; has: boolean }) {
  const picking = usePicking()
  return (
    <DatasetSection id="columns" title="Columns">
      {has && <FilterChips />}
      <ColumnList columns={detail.columns} picking={has ? picking : undefined} />
    </DatasetSection>
  )
}
