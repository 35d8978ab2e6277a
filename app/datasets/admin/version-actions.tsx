import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DeleteButton } from '#app/ui/admin/delete-button.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { countOf } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { versionsUrl } from './product-urls.ts'
import { productAddresses, renewProduct } from './product-responses.ts'
import { PublishButton } from './publish-button.tsx'

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

function RollBackButton({ productId, version: { number, rows } }: { productId: string; version: StaffVersion }) {
  const [asking, setAsking] = useState(false)
  const goBack = useAdminAction({
    method: 'POST',
    url: `${versionsUrl(productId)}/${number}/current`,
    done: `Version ${number} is current again`,
    failed: 'The current version has not changed',
    onDone: () => setAsking(false),
    touches: productAddresses,
  })
  return (
    <>
      <Button type="button" look="quiet" size="small" aria-label={`Roll back to version ${number}`} onClick={() => setAsking(true)}>
        Roll back
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => goBack.mutate()}
        title={`Roll back to version ${number}?`}
        confirm={goBack.isPending ? 'Rolling back...' : 'Roll back'}
        look="primary"
        busy={goBack.isPending}
      >
        <p>
          Files and the API switch to it immediately, with its {countOf(rows, 'row', 'rows')}. The current version stays here, so you can
          switch back.
        </p>
      </ConfirmDialog>
    </>
  )
}
