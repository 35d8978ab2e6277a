import { ExternalLinkIcon } from 'lucide-react'
import { Link } from 'react-router'
import { useView } from '#app/ui/admin/use-view.tsx'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { AccessPanel } from './access-panel.tsx'
import { ProductForm } from './product-form.tsx'
import { useProducts, useVersions } from './use-products.tsx'
import { VersionPanel } from './version-panel.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { ProductBadges } from './product-badges.tsx'
import { categoriesInUse, tabIn } from './product-view.ts'

/** One product in place of the list: its description, data and access. */
export function OpenProduct({ id }: { id: string }) {
  const list = useProducts()
  if (list.isError) return <Failed as="h2" title="Failed to fetch the product" error={list.error} retry={list.refetch} />
  if (list.isPending) {
    return (
      <div>
        <Loading>Loading the product...</Loading>
        <Skeleton lines={10} />
      </div>
    )
  }
  const product = list.data.find((one) => one.id === id)
  if (product) return <Product product={product} categories={categoriesInUse(list.data)} />
  return (
    <Empty
      title="No such product"
      action={
        <Link to="/admin/products" className={buttonLook('quiet')}>
          All products
        </Link>
      }
    >
      <p>It was deleted, or the link is incomplete.</p>
    </Empty>
  )
}

function Product({ product, categories }: { product: StaffProduct; categories: string[] }) {
  const { params, change } = useView()
  const tabs = [
    { value: 'details', label: 'Details', content: <Details product={product} categories={categories} /> },
    { value: 'data', label: 'Data', content: <VersionPanel product={product} /> },
    { value: 'access', label: 'Access', count: product.openRequests || undefined, content: <AccessPanel product={product} /> },
  ]
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-2">
          <h2 className="text-h3 wrap-anywhere">{product.name}</h2>
          <ProductBadges product={product} />
        </div>
        {!product.hidden && (
          <a href={`${MARKETPLACE}/${product.slug}`} target="_blank" rel="noopener" className={buttonLook('quiet', 'small')}>
            <ExternalLinkIcon aria-hidden="true" className="size-4" />
            View in catalog
          </a>
        )}
      </div>
      <Tabs
        label="Product"
        tabs={tabs}
        value={tabIn(params)}
        onValueChange={(value) => change({ tab: value === 'details' ? undefined : value })}
      />
    </div>
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
