import type { ProductBody, StaffProduct } from '#app/datasets/product.ts'

/** What of a product staff write, as it is sent back. */
export function bodyOf(product: StaffProduct): ProductBody {
  const { name, slug, description, about, category, price, isFree, hasFile, hasApi, hidden } = product
  const { source, licence, licenceUrl, lawfulBasis, updateFrequency, columnDescriptions, maskedColumns, gate } = product
  return {
    name,
    slug,
    description,
    about,
    category,
    price,
    isFree,
    hasFile,
    hasApi,
    hidden,
    source,
    licence,
    licenceUrl,
    lawfulBasis,
    updateFrequency,
    columnDescriptions,
    maskedColumns,
    gate,
  }
}
