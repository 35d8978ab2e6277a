import type { DataProduct } from '#app/datasets/catalog/product.ts'

export const ALL = 'all'

/** The sort orders; the first is the order that staff chose. */
export const catalogOrders = { shelf: 'Recommended', newest: 'Newest', name: 'Name', price: 'Price', size: 'Size' } as const

export type CatalogOrder = keyof typeof catalogOrders

/** The category, search and order in the URL. Unknown values count as none. */
export type CatalogueChoice = { category: string; q: string; order: CatalogOrder }

export function readCatalogueChoice(params: URLSearchParams, products: readonly DataProduct[]): CatalogueChoice {
  const category = params.get('category')
  const order = params.get('sort') ?? ''
  return {
    category: category !== null && listCategories(products).includes(category) ? category : ALL,
    q: params.get('q')?.trim() ?? '',
    order: isOrder(order) ? order : 'shelf',
  }
}

/** Each category once, in catalog order. */
export function listCategories(products: readonly DataProduct[]): string[] {
  return [...new Set(products.map(({ category }) => category))]
}

/** The products of a category that have every word of the search in their name, description or category. */
export function chooseProducts(products: readonly DataProduct[], { category, q, order }: CatalogueChoice): DataProduct[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return products
    .filter((product) => category === ALL || product.category === category)
    .filter(({ name, description, category: kind }) => {
      const text = `${name} ${description} ${kind}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .toSorted(comparisons[order])
}

const comparisons: Record<CatalogOrder, (a: DataProduct, b: DataProduct) => number> = {
  shelf: () => 0,
  newest: (a, b) => (b.updatedAt ?? '').localeCompare(a.updatedAt ?? ''),
  name: (a, b) => a.name.localeCompare(b.name, 'en'),
  price: (a, b) => a.price - b.price,
  size: (a, b) => b.bytes - a.bytes,
}

function isOrder(text: string): text is CatalogOrder {
  return Object.hasOwn(catalogOrders, text)
}
