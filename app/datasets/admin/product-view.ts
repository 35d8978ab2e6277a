import { type Placed, search } from '#app/ui/admin/order.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'

export const visibleProducts = [
  { value: '', label: 'All products' },
  { value: 'shelf', label: 'Published' },
  { value: 'hidden', label: 'Hidden' },
  { value: 'attention', label: 'Needs attention' },
] as const

/** The products that match the search and the filter, in catalog order. */
export function filterProducts(list: readonly StaffProduct[], params: URLSearchParams): Placed<StaffProduct>[] {
  const show = params.get('show')
  return search(list, params.get('q'), ({ name, slug, category, description }) => `${name} ${slug} ${category} ${description}`).filter(
    (product) => {
      if (show === 'shelf' || show === 'hidden') return product.hidden === (show === 'hidden')
      return show !== 'attention' || isWaiting(product)
    },
  )
}

/** Whether a request is open, or a version needs publishing or could not be read. */
export function isWaiting({ openRequests, newestState }: StaffProduct): boolean {
  return openRequests > 0 || newestState === 'ready' || newestState === 'refused'
}

/** The product that is open in place of the list, by the URL. */
export function openIn(params: URLSearchParams): { id: string } | 'new' | undefined {
  if (params.get('new') === 'product') return 'new'
  const id = params.get('edit')
  return id ? { id } : undefined
}

const tabs = ['details', 'data', 'prices', 'access']

export function tabIn(params: URLSearchParams): string {
  return tabs.find((tab) => tab === params.get('tab')) ?? 'details'
}

/** Each once, in catalog order. */
export function categoriesInUse(list: readonly StaffProduct[]): string[] {
  return [...new Set(list.map(({ category }) => category))]
}
