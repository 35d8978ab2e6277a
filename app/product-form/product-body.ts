import type { ProductBody, StaffProduct } from '#app/datasets/product.ts'

/** What of a product staff write, as it is sent back. Whether it is free follows from its price. */
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
