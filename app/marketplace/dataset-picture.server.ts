import { findDetail } from '#app/datasets/listing.server.ts'
import { priceInWords } from '#app/datasets/price.ts'
import type { ProductDetail } from '#app/datasets/product.ts'
import { countInWords } from '#app/dataset-view/words.ts'
import type { PictureText } from '#app/picture/picture.ts'

const PREFIX = 'dataset-'

/** What the picture of a dataset shows where it is shared: its name, how much it is, and what it costs. */
export function datasetPicture({ slug, name, price, rows, columns, updatedAt }: ProductDetail): PictureText {
  return {
    name: PREFIX + slug,
    mess: 'chaff',
    kicker: 'data marketplace',
    title: name,
    rows: [
      ...(updatedAt ? [['rows', countInWords(rows)] as const, ['columns', String(columns.length)] as const] : []),
      ['price', priceInWords(price)],
    ],
  }
}

/** The same by the name in its address, as long as the dataset is on the shelf. */
export async function findDatasetPicture(name: string): Promise<PictureText | undefined> {
  if (!name.startsWith(PREFIX)) return undefined
  const slug = name.slice(PREFIX.length)
  const detail = await findDetail(slug, undefined)
  return detail?.slug === slug ? datasetPicture(detail) : undefined
}
