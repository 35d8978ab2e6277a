import { ExternalLinkIcon } from 'lucide-react'
import { neighborsOf, RecordPage } from '#app/ui/admin/record.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { AccessPanel } from './access-panel.tsx'
import { OffersPanel } from './offers-panel.tsx'
import { ProductForm } from './product-form.tsx'
import { useProducts, useVersions } from './use-products.tsx'
import { VersionPanel } from './version-panel.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { ProductBadges } from './product-badges.tsx'
import { categoriesInUse, filterProducts, tabIn } from './product-view.ts'

/** One product in place of the list: its description, data and access. */
export function OpenProduct({ id }: { id: string }) {
  const list = useProducts()
  const { params, change } = useView()
  return (
    <RecordPage
      query={{ ...list, data: list.data?.find((product) => product.id === id) }}
      one="product"
      failed="Failed to fetch the product"
      titleOf={({ name }) => name}
      renderState={(product) => <ProductBadges product={product} />}
      renderActions={(product) => !product.hidden && <CatalogLink slug={product.slug} />}
      neighbors={neighborsOf(list.data && filterProducts(list.data, params), id, (other) => change({ edit: other.id }, { replace: true }))}
      close={() => change({ edit: undefined, tab: undefined })}
    >
      {(product) => <Product product={product} categories={categoriesInUse(list.data ?? [])} />}
    </RecordPage>
  )
}

function CatalogLink({ slug }: { slug: string }) {
  return (
    <a href={`${MARKETPLACE}/${slug}`} target="_blank" rel="noopener" className={buttonLook('quiet', 'small')}>
      <ExternalLinkIcon aria-hidden="true" className="size-4" />
      View in catalog
    </a>
  )
}

function Product({ product, categories }: { product: StaffProduct; categories: string[] }) {
  const { params, change } = useView()
  const tabs = [
    { value: 'details', label: 'Details', content: <Details product={product} categories={categories} /> },
    { value: 'data', label: 'Data', content: <VersionPanel product={product} /> },
    { value: 'prices', label: 'Prices', content: <OffersPanel product={product} /> },
    { value: 'access', label: 'Access', count: product.openRequests || undefined, content: <AccessPanel product={product} /> },
  ]
  return (
    <Tabs
      label="Product"
      tabs={tabs}
      value={tabIn(params)}
      onValueChange={(value) => change({ tab: value === 'details' ? undefined : value })}
    />
  )
}

function Details({ product, categories }: { product: StaffProduct; categories: string[] }) {
  const { change } = useView()
  const versions = useVersions(product.id)
  if (versions.isError) return <Failed title="Failed to fetch versions" error={versions.error} retry={versions.refetch} />
  if (versions.isPending) return <Loading>Loading the columns...</Loading>
  const columns = versions.data.find((version) => version.columns.length > 0)?.columns ?? []
  const close = () => change({ edit: undefined, tab: undefined }, { fromTop: true })
  return <ProductForm product={product} columns={columns} categories={categories} onSaved={() => undefined} onCancel={close} />
}
