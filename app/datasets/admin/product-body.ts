import type { ProductBody, StaffProduct } from '#app/datasets/catalog/product.ts'

/** The editable fields of a product, as sent to the server. `isFree` follows from the price. */
export function bodyOf(product: StaffProduct) {
  const { id: _id, position: _position, version: _version, createdAt: _created, updatedAt: _updated, isFree: _free, ...rest } = product
  const { rows: _rows, bytes: _bytes, currentVersion: _current, newestState: _newest, openRequests: _open, ...body } = rest
  return body satisfies ProductBody
}
