import { z } from 'zod/mini'
import { uuid } from '#app/platform/text/uuid.ts'
import { PRODUCTS } from './addresses.ts'

export const PRODUCT_BULK = `${PRODUCTS}/bulk`

/** A pattern, because `z.uuid` would add 1 kB to the script of the page. */
const id = uuid('There is no such product.')

/** `restore` undoes a deletion. */
export const productBulk = z.object({
  ids: z
    .array(id, 'Give the ids of products.')
    .check(z.minLength(1, 'Choose at least one product.'), z.maxLength(200, 'Change at most 200 products at once.')),
  change: z.enum(['publish', 'hide', 'delete', 'restore'], 'Change is publish, hide, delete or restore'),
})

export type ProductBulk = z.infer<typeof productBulk>

/** The products that changed; the others already were like that, or are gone. */
export const changedProducts = z.object({ ids: z.array(z.string()) })
