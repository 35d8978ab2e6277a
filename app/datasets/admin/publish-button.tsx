import { useState } from 'react'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { versionsUrl } from './product-urls.ts'
import { productAddresses } from './product-responses.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Findings } from './findings.tsx'

/** Publishes a version: directly if it passes the quality checks, else after a confirmation that shows the failures. */
export function PublishButton({ product, version }: { product: StaffProduct; version: StaffVersion }) {
  const [asking, setAsking] = useState(false)
  const { number, findings } = version
  const broken = findings.filter(({ ok }) => !ok)
  const publish = useAdminAction<{ force: boolean }>({
    method: 'POST',
    url: `${versionsUrl(product.id)}/${number}/publish`,
    body: ({ force }) => ({ force }),
    done: `Version ${number} is published`,
    failed: `Version ${number} is not published`,
    onDone: () => setAsking(false),
    touches: productAddresses,
  })
  const press = () => (broken.length > 0 ? setAsking(true) : publish.mutate({ force: false }))
  return (
    <>
      <Button type="button" size="small" aria-label={`Publish version ${number}`} busy={publish.isPending} onClick={press}>
        {publish.isPending ? 'Publishing...' : 'Publish'}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => publish.mutate({ force: true })}
        title={`Version ${number} does not pass the quality checks`}
        confirm={publish.isPending ? 'Publishing...' : 'Publish anyway'}
        busy={publish.isPending}
      >
        <div className="grid gap-4">
          <Findings findings={broken} label="Failed checks" />
          <p>
            Correct the file and upload it again, or change the quality checks. Publish anyway? Customers get this version as-is; your
            override is recorded.
          </p>
        </div>
      </ConfirmDialog>
    </>
  )
}
