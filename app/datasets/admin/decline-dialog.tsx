import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { entitlementLimits, PRODUCT_REQUESTS, type ProductRequest } from '#app/datasets/access/entitlement.ts'
import { productAddresses } from './product-responses.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Textarea } from '#app/ui/input.tsx'

export function DeclineDialog({ request: { id, email, product }, close }: { request: ProductRequest; close: () => void }) {
  const decline = useAdminAction<{ reason: string }>({
    method: 'POST',
    url: `${PRODUCT_REQUESTS}/${encodeURIComponent(id)}/decline`,
    body: (given) => given,
    done: 'Request declined, customer notified',
    failed: 'Not declined',
    onDone: close,
    touches: productAddresses,
  })
  return (
    <FormDialog
      onClose={close}
      title="Decline this request"
      submit={decline.isPending ? 'Declining...' : 'Decline'}
      look="danger"
      busy={decline.isPending}
      onSubmit={({ reason = '' }) => decline.mutate({ reason })}
    >
      <p className="text-muted wrap-anywhere">
        {email ?? 'A deleted account'} requested {product}. The lead does not change.
      </p>
      <Field label="Reason" name="reason" optional hint="Included in the email.">
        <Textarea className="min-h-24" maxLength={entitlementLimits.reason} />
      </Field>
    </FormDialog>
  )
}
