import { useState } from 'react'
import { Link } from 'react-router'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { declineBody, entitlementLimits, PRODUCT_REQUESTS, type ProductRequest } from '#app/datasets/access/entitlement.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Textarea } from '#app/ui/input.tsx'
import { GrantDialog } from './grant-dialog.tsx'
import { productAddresses } from './product-urls.ts'

/** A customer's request, with Grant and Decline. */
export function RequestRow({ product, request }: { product: StaffProduct; request: ProductRequest }) {
  const [answer, setAnswer] = useState<'grant' | 'decline'>()
  const { organization, email, message, contactId, createdAt } = request
  const name = organization ? `${organization.name} (${email ?? 'deleted account'})` : (email ?? 'Deleted account')
  const close = () => setAnswer(undefined)
  return (
    <li className="grid gap-x-6 gap-y-3 border-b border-line p-4 last:border-b-0 md:grid-cols-[1fr_auto]">
      <div className="grid min-w-0 content-start gap-1">
        <p className="font-semibold wrap-anywhere">{name}</p>
        {message && <p className="max-w-prose text-small whitespace-pre-line wrap-anywhere">{message}</p>}
        <p className="flex flex-wrap gap-x-4 font-mono text-fine text-muted">
          <span>
            Requested <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
          </span>
          {contactId && (
            <Link to={`/dashboard?contact=${contactId}`} className="link">
              View lead
            </Link>
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-start gap-2">
        <Button type="button" size="small" aria-label={`Grant access to ${name}`} onClick={() => setAnswer('grant')}>
          Grant
        </Button>
        <Button type="button" look="quiet" size="small" aria-label={`Decline ${name}`} onClick={() => setAnswer('decline')}>
          Decline
        </Button>
      </div>
      {answer === 'grant' && <GrantDialog product={product} request={request} close={close} />}
      {answer === 'decline' && <DeclineDialog request={request} close={close} />}
    </li>
  )
}

function DeclineDialog({ request: { id, email, product }, close }: { request: ProductRequest; close: () => void }) {
  const form = useForm({
    schema: declineBody,
    send: async (body) => apiRequest('POST', `${PRODUCT_REQUESTS}/${encodeURIComponent(id)}/decline`, body),
    done: 'Request declined, customer notified',
    failed: 'Not declined',
    touches: productAddresses,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Decline this request" submit="Decline" pending="Declining..." look="danger">
      <p className="text-muted wrap-anywhere">
        {email ?? 'A deleted account'} requested {product}. The lead does not change.
      </p>
      <Field label="Reason" name="reason" optional hint="Included in the email.">
        <Textarea className="min-h-24" most={entitlementLimits.reason} />
      </Field>
    </FormDialog>
  )
}
