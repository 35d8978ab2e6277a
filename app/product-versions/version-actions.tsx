import { DeleteButton } from '#app/admin-view/delete-button.tsx'
import { tellFailure } from '#app/admin-view/tell-failure.ts'
import type { StaffProduct } from '#app/datasets/product.ts'
import type { StaffVersion } from '#app/datasets/version.ts'
import { apiRequest } from '#app/platform/api.ts'
import { versionsUrl } from '#app/product-form/product-urls.ts'
import { askAgain } from '#app/product-form/product-answers.ts'
import { toast } from '#app/ui/toast.ts'
import { useQueryClient } from '@tanstack/react-query'
import { PublishButton } from './publish-button.tsx'
import { RollBackButton } from './roll-back-button.tsx'

/** What can be done with a version in the state that it is in. */
export function VersionActions({ product, version }: { product: StaffProduct; version: StaffVersion }) {
  const { state, isCurrent } = version
  return (
    <div className="flex flex-wrap gap-2">
      {state === 'ready' && <PublishButton product={product} version={version} />}
      {state === 'published' && !isCurrent && <RollBackButton productId={product.id} version={version} />}
      {state !== 'published' && <DeleteVersion productId={product.id} version={version} />}
    </div>
  )
}

function DeleteVersion({ productId, version: { number, originalName } }: { productId: string; version: StaffVersion }) {
  const client = useQueryClient()
  async function onDeleted() {
    toast({ title: `Version ${number} deleted` })
    await askAgain(client)
  }
  return (
    <DeleteButton
      name={`version ${number}`}
      question={`Are you sure you want to delete version ${number}?`}
      remove={async () => apiRequest('DELETE', `${versionsUrl(productId)}/${number}`)}
      onDeleted={onDeleted}
      onFailure={(error) => tellFailure('Version not deleted', error)}
    >
      <p className="font-mono text-small text-ink wrap-anywhere">{originalName}</p>
      <p>No customer has ever had it. Its file and its report go with it.</p>
    </DeleteButton>
  )
}
