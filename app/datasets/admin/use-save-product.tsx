import { useMutation, useQueryClient } from '@tanstack/react-query'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { type ProductBody, type StaffProduct, staffProduct } from '#app/datasets/catalog/product.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { productUrl } from './product-urls.ts'
import { renewProduct, newerProductIn, refusedProductFields } from './product-responses.ts'

type Outcome = {
  onSaved: (product: StaffProduct) => void
  onRefused: (errors: Record<string, string>) => void
  onConflict: (newer: StaffProduct) => void
}

type Saving = { body: ProductBody; /** The version that the edits are based on. */ over: StaffProduct | undefined }

const NOT_SAVED = 'The server could not be reached. Your changes are still here.'

/**
 * Creates the product, or saves it with the version that the edits are based on. A version that someone else saved meanwhile is never
 * overwritten silently.
 */
export function useSaveProduct({ onSaved, onRefused, onConflict }: Outcome) {
  const client = useQueryClient()
  return useMutation({
    async mutationFn({ body, over }: Saving) {
      const headers = { 'content-type': 'application/json', ...(over && { 'if-match': `"${over.version}"` }) }
      const answer = await (over
        ? apiRequest('PUT', productUrl(over.id), body, { headers })
        : apiRequest('POST', PRODUCTS, body, { headers }))
      return staffProduct.parse(await answer.json())
    },
    async onSuccess(product, { over }) {
      toast({ title: over ? 'Product updated successfully' : 'Product created successfully' })
      await renewProduct(client)
      onSaved(product)
    },
    onError(error, { over }) {
      showFailure(over ? 'Error updating product' : 'Error creating product', error, NOT_SAVED)
      const newer = newerProductIn(error)
      if (newer) onConflict(newer)
      else onRefused(refusedProductFields(error))
    },
  })
}
