import type { ProductBody, StaffProduct } from '#app/datasets/catalog/product.ts'

/** The editable fields of a product, as sent to the server. `isFree` follows from the price. */
export function bodyOf(product: StaffProduct) {
  const { name, slug, description, about, category, price, hasFile, hasApi, hidden } = product
  const { source, licence, licenceUrl, lawfulBasis, updateFrequency, columnDescriptions, maskedColumns, gate } = product
  return {
    name,
    slug,
    description,
    about,
    category,
    price,
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
  } satisfies ProductBody
}
