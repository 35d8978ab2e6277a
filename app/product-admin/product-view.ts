import { type Placed, search } from '#app/admin-view/order.ts'
import type { StaffProduct } from '#app/datasets/product.ts'

export const shown = [
  { value: '', label: 'All products' },
  { value: 'shelf', label: 'On the shelf' },
  { value: 'hidden', label: 'Hidden' },
  { value: 'attention', label: 'Waits for someone' },
] as const

/** What a search and a choice leave of the shelf, in its order. */
export function chosenFrom(list: readonly StaffProduct[], params: URLSearchParams): Placed<StaffProduct>[] {
  const show = params.get('show')
  return search(list, params.get('q'), ({ name, slug, category, description }) => `${name} ${slug} ${category} ${description}`).filter(
    (product) => {
      if (show === 'shelf' || show === 'hidden') return product.hidden === (show === 'hidden')
      return show !== 'attention' || isWaiting(product)
    },
  )
}

/** Customers ask for it, or a version waits to be published or could not be read. */
export function isWaiting({ openRequests, newestState }: StaffProduct): boolean {
  return openRequests > 0 || newestState === 'ready' || newestState === 'refused'
}

/** What is open in the place of the list, as the address says. */
export function openIn(params: URLSearchParams): { id: string } | 'new' | undefined {
  if (params.get('new') === 'product') return 'new'
  const id = params.get('edit')
  return id ? { id } : undefined
}

const tabs = ['details', 'data', 'access']

export function tabIn(params: URLSearchParams): string {
  return tabs.find((tab) => tab === params.get('tab')) ?? 'details'
}

/** Each once, in the order of the shelf. */
export function categoriesOf(list: readonly StaffProduct[]): string[] {
  return [...new Set(list.map(({ category }) => category))]
}
