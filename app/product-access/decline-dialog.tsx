import { useAdminAction } from '#app/admin-view/use-admin-action.tsx'
import { limits, PRODUCT_REQUESTS, type ProductRequest } from '#app/entitlements/entitlement.ts'
import { productAddresses } from '#app/product-form/product-answers.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Textarea } from '#app/ui/input.tsx'

/** Answers a request with no, by letter. */
export function DeclineDialog({ request: { id, email, product }, close }: { request: ProductRequest; close: () => void }) {
  const decline = useAdminAction<{ reason: string }>({
    method: 'POST',
    url: `${PRODUCT_REQUESTS}/${encodeURIComponent(id)}/decline`,
    body: (given) => given,
    done: 'Declined; an email tells them',
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
        {email ?? 'The account'} asked for {product}. Their lead stays where it is.
      </p>
      <Field label="Reason" name="reason" optional hint="They read it in the email.">
        <Textarea className="min-h-24" maxLength={limits.reason} />
      </Field>
    </FormDialog>
  )
}
