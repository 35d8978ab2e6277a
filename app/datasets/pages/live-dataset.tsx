import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { apiDocsOf, MARKETPLACE, PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { productDetail, type ProductDetail, type ProductFile } from '#app/datasets/catalog/product.ts'
import { againAfter, OWN_ORDERS, paidOrders } from '#app/datasets/catalog/receipt.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Later, laterCode } from '#app/ui/later-code.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { csvNoteOf } from '#app/datasets/catalog/format.ts'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Card } from '#app/ui/card.tsx'
import { ColumnList } from './column-profile.tsx'
import { AboutDataset } from './dataset-facts.tsx'
import { DatasetHead } from './dataset-head.tsx'
import { DatasetSection, FoldedSection, FoldedSections } from './part.tsx'
import { FilterChips } from './filter-chips.tsx'
import { RowsPanel } from './rows-panel.tsx'
import { usePicking } from './use-picking.tsx'
import { LiveOffer } from './live-offer.tsx'
import { Related, Versions } from './last-parts.tsx'
import { useTake } from './use-download.tsx'
import { filtersOf, selectOf, sortOf } from './row-view.ts'
import { ProgramDownload } from './program-download.tsx'
import { ReceiptLinks } from './receipt-links.tsx'
import { FileList } from './file-list.tsx'

export const requestCode = laterCode('The request', () => import('./request-part.tsx'))
export const sampleCode = laterCode('The sample', () => import('./sample-table.tsx'))

/** The dataset page of a signed-in user. */
export function LiveDataset({ slug, name }: { slug: string; name: string }) {
  const detail = usePageQuery(apiQuery(`${PRODUCTS}/${slug}`, productDetail))
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
  return <Dataset detail={detail.data} />
}

/** The heading and the back link, shown while the API loads. */
function Begun({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="wrap grid grid-cols-1 gap-4 pt-4 pb-10 sm:pt-5">
      <div className="grid gap-0.5">
        <MarketplaceLink />
        <h1 className="text-h2 wrap-anywhere">{name}</h1>
      </div>
      <div>{children}</div>
    </div>
  )
}

/** Above the title, as on the other pages of the workspace. */
function MarketplaceLink() {
  return (
    <p className="eyebrow print:hidden">
      <Link to={MARKETPLACE} className="hover:text-ink">
        Data Marketplace
      </Link>
    </p>
  )
}

/** Scrolls to the URL's fragment once its section exists. */
function useArriveAt(isThere: boolean) {
  const { hash } = useLocation()
  useEffect(() => {
    const part = isThere && hash ? document.getElementById(hash.slice(1)) : null
    part?.querySelector(':scope > .fold')?.setAttribute('open', '')
    part?.scrollIntoView()
  }, [isThere, hash])
}

function Dataset({ detail }: { detail: ProductDetail }) {
  const { access, files } = detail
  const has = access === 'granted'
  return (
    <div className="wrap grid grid-cols-1 gap-y-6 pt-4 pb-10 sm:pt-5">
      <Bought detail={detail} />
      <DatasetHead detail={detail} back={<MarketplaceLink />} offer={<LiveOffer detail={detail} />} />
      {access === 'pay' && !detail.checkoutUrl && <RequestPart detail={detail} />}
      {has ? <RowsPart detail={detail} /> : <SamplePart detail={detail} />}
      {access === 'pay' && detail.checkoutUrl && <RequestPart detail={detail} />}
      <FoldedSections>
        <AboutDataset detail={detail} />
        {detail.columns.length > 0 && <ColumnsPart detail={detail} has={has} />}
        {files.length > 0 && <FilesPart detail={detail} has={has} />}
        {detail.apiEndpoint && <ApiPart detail={detail} />}
        <Versions versions={detail.versions} />
      </FoldedSections>
      <Related related={detail.related} />
    </div>
  )
}

/** For somebody who comes from the payment of an order. */
function Bought({ detail: { access, apiEndpoint } }: { detail: ProductDetail }) {
  const reference = useView().params.get('order')
  const orders = useQuery({
    ...apiQuery(`${OWN_ORDERS}?reference=${encodeURIComponent(reference ?? '')}`, paidOrders),
    enabled: reference !== null && access === 'granted',
    refetchInterval: ({ state }) => againAfter(state.data?.items),
  })
  if (reference === null || access !== 'granted') return null
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded-card border border-leaf bg-leaf-wash p-4">
      <p className="grow font-semibold">Paid. This dataset is yours: download it below.</p>
      <ReceiptLinks receipts={orders.data?.items[0]?.invoices ?? []} />
      <p className="flex flex-wrap gap-4 text-small">
        <Link to="/account/billing" className="link">
          Your orders
        </Link>
        {apiEndpoint && (
          <Link to="/account/keys" className="link">
            Create an API key
          </Link>
        )}
      </p>
    </div>
  )
}

/** The section is there at once: links lead to it. */
function RequestPart({ detail }: { detail: ProductDetail }) {
  return (
    <DatasetSection id="request-access" title="Request access">
      <Card>
        <Later code={requestCode}>{({ RequestStatus }) => <RequestStatus detail={detail} />}</Later>
      </Card>
    </DatasetSection>
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
      <Later code={sampleCode}>{({ SampleTable }) => <SampleTable name={name} columns={columns} sampleData={sampleData} />}</Later>
    </DatasetSection>
  )
}

function ColumnsPart({ detail, has }: { detail: ProductDetail; has: boolean }) {
  const picking = usePicking()
  return (
    <FoldedSection id="columns" title="Columns">
      {has && <FilterChips />}
      <ColumnList columns={detail.columns} picking={has ? picking : undefined} />
    </FoldedSection>
  )
}

/** Exports the selected rows and columns in their order; the file is streamed. */
function ChoiceDownload({ detail }: { detail: ProductDetail }) {
  const { params } = useView()
  const take = useTake(detail.id)
  const [filters, columns, sort] = [filtersOf(params), selectOf(params), sortOf(params)]
  const what = filters.length > 0 ? 'filtered rows' : columns ? 'selected columns' : 'all rows'
  const doing = take.isPending ? take.variables.format : undefined
  const wish = { downloadType: 'file' as const, ...(columns && { columns }), ...(filters.length > 0 && { filters }), ...(sort && { sort }) }
  return (['csv', 'xlsx', 'jsonl'] as const).map((format) => (
    <Button
      key={format}
      type="button"
      look="quiet"
      size="small"
      title={csvNoteOf(format)}
      busy={doing === format}
      onClick={() => take.mutate({ ...wish, format })}
    >
      {doing === format ? 'Starting...' : `Export ${what} (${format.toUpperCase()})`}
    </Button>
  ))
}

/** API examples with this dataset's own URL. */
function ApiPart({ detail: { slug, columns, apiEndpoint } }: { detail: ProductDetail }) {
  const example = columns.find(({ topValues }) => topValues[0] !== undefined)
  const query = example ? `?${new URLSearchParams({ [`${example.name}[eq]`]: example.topValues[0]?.value ?? '' })}&limit=100` : '?limit=100'
  return (
    <FoldedSection id="api" title="API Access">
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
        <ButtonLink to={apiDocsOf(slug)} look="quiet" size="small">
          Reference
        </ButtonLink>
        <Link to={`${MARKETPLACE}/${slug}/query`} className="link inline-flex min-h-9 items-center px-1 text-small pointer-coarse:min-h-11">
          Or query with SQL
        </Link>
      </div>
    </FoldedSection>
  )
}

/** Every format of the whole dataset. */
function FilesPart({ detail, has }: { detail: ProductDetail; has: boolean }) {
  return (
    <FoldedSection id="files" title="Files">
      {has ? (
        <>
          <FileList files={detail.files}>{(file) => <TakeFile id={detail.id} file={file} />}</FileList>
          <ProgramDownload detail={detail} site={siteAddress()} />
        </>
      ) : (
        <FileList files={detail.files} />
      )}
    </FoldedSection>
  )
}

function TakeFile({ id, file: { format, name } }: { id: string; file: ProductFile }) {
  const take = useTake(id)
  return (
    <Button
      type="button"
      look="quiet"
      size="small"
      busy={take.isPending}
      aria-label={`Download ${name}`}
      onClick={() => take.mutate({ downloadType: 'file', format })}
    >
      {take.isPending ? 'Starting...' : 'Download'}
    </Button>
  )
}

/** Only called after the API has responded, so always in a browser. */
function siteAddress(): string {
  return typeof location === 'undefined' ? '' : location.origin
}
