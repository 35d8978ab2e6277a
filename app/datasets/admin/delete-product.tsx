import { useQueryClient } from '@tanstack/react-query'
import { DeleteButton } from '#app/ui/admin/delete-button.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { productUrl } from './product-urls.ts'
import { renewProduct } from './product-responses.ts'
import { toast } from '#app/ui/toast.ts'

export function DeleteProduct({ product: { id, name, hidden } }: { product: StaffProduct }) {
  const client = useQueryClient()
  async function onDeleted() {
    toast({ title: 'Product deleted successfully' })
    await renewProduct(client)
  }
  return (
    <DeleteButton
      name={name}
      question="Are you sure you want to delete this product?"
      remove={async () => apiRequest('DELETE', productUrl(id))}
      onDeleted={onDeleted}
      onFailure={(error) => showFailure('Error deleting product', error)}
    >
      <p className="font-semibold text-ink wrap-anywhere">{name}</p>
      <p>Customers with access lose it, in files and by API. {!hidden && 'To only unpublish it, hide it instead.'}</p>
    </DeleteButton>
  )
}
