import { useState } from 'react'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { versionsUrl } from './product-urls.ts'
import { productAddresses } from './product-responses.ts'
import { countOf } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'

export function RollBackButton({ productId, version: { number, rows } }: { productId: string; version: StaffVersion }) {
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
