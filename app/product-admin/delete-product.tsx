import { useQueryClient } from '@tanstack/react-query'
import { DeleteButton } from '#app/admin-view/delete-button.tsx'
import { tellFailure } from '#app/admin-view/tell-failure.ts'
import type { StaffProduct } from '#app/datasets/product.ts'
import { apiRequest } from '#app/platform/api.ts'
import { productUrl } from '#app/product-form/product-urls.ts'
import { askAgain } from '#app/product-form/product-answers.ts'
import { toast } from '#app/ui/toast.ts'

export function DeleteProduct({ product: { id, name, hidden } }: { product: StaffProduct }) {
  const client = useQueryClient()
  async function onDeleted() {
    toast({ title: 'Product deleted successfully' })
    await askAgain(client)
  }
  return (
    <DeleteButton
      name={name}
      question="Are you sure you want to delete this product?"
      remove={async () => apiRequest('DELETE', productUrl(id))}
      onDeleted={onDeleted}
      onFailure={(error) => tellFailure('Error deleting product', error)}
    >
      <p className="font-semibold text-ink wrap-anywhere">{name}</p>
      <p>Customers who have it lose it, in files and by API. {!hidden && 'To take it from the shelf alone, hide it.'}</p>
    </DeleteButton>
  )
}
