import { DeleteButton } from '#app/ui/admin/delete-button.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { versionsUrl } from './product-urls.ts'
import { renewProduct } from './product-responses.ts'
import { toast } from '#app/ui/toast.ts'
import { useQueryClient } from '@tanstack/react-query'
import { PublishButton } from './publish-button.tsx'
import { RollBackButton } from './roll-back-button.tsx'

/** The actions that a version allows in its state. */
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
    await renewProduct(client)
  }
  return (
    <DeleteButton
      name={`version ${number}`}
      question={`Are you sure you want to delete version ${number}?`}
      remove={async () => apiRequest('DELETE', `${versionsUrl(productId)}/${number}`)}
      onDeleted={onDeleted}
      onFailure={(error) => showFailure('Version not deleted', error)}
    >
      <p className="font-mono text-small text-ink wrap-anywhere">{originalName}</p>
      <p>It was never published. Its file and report are deleted too.</p>
    </DeleteButton>
  )
}
