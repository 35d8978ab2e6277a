import { findDetail } from '#app/datasets/catalog/listing.server.ts'
import { catalogPrice } from '#app/datasets/catalog/price.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { countInWords } from './words.ts'
import type { PictureText } from '#app/content/og-image/picture.ts'

const PREFIX = 'dataset-'

/** The social preview of a dataset: its name, size and price. */
export function datasetPicture({ slug, name, price, rows, columns, updatedAt }: ProductDetail): PictureText {
  return {
    name: PREFIX + slug,
    backdrop: 'scatter',
    kicker: 'data marketplace',
    title: name,
    rows: [
      ...(updatedAt ? [['rows', countInWords(rows)] as const, ['columns', String(columns.length)] as const] : []),
      ['price', catalogPrice(price)],
    ],
  }
}

/** The same by slug, while the dataset is published. */
export async function findDatasetPicture(name: string): Promise<PictureText | undefined> {
  if (!name.startsWith(PREFIX)) return undefined
  const slug = name.slice(PREFIX.length)
  const detail = await findDetail(slug, undefined)
  return detail?.slug === slug ? datasetPicture(detail) : undefined
}
