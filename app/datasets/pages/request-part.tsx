import { useQuery } from '@tanstack/react-query'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { dayInWords } from './words.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { accessRequestBody } from '#app/datasets/access/entitlement.ts'
import { Form } from '#app/ui/admin/form.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Textarea } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { ownAccessUrl, ownAccess } from './own-access.ts'

/** The request form of a paid product and the status of the request. */
export function RequestStatus({ detail }: { detail: ProductDetail }) {
  const request = useQuery(apiQuery(ownAccessUrl(detail.id), ownAccess))
  if (request.isPending) return <Loading>Loading your request...</Loading>
  if (request.isError) return <Failed error={request.error} retry={request.refetch} />
  const { askedAt, outcome } = request.data
  if (askedAt && !outcome) {
    return (
      <p role="status">
        You requested access on <time dateTime={askedAt}>{dayInWords(askedAt)}</time>. We’ll email you an invoice. Access starts once it’s
        paid.
      </p>
    )
  }
  return (
    <div className="grid gap-4">
      {outcome === 'declined' && (
        <p role="status">Your last request was declined; the reason is in the email we sent. You can request access again.</p>
      )}
      {outcome === 'granted' && <p role="status">Your access has ended. You can request it again.</p>}
      <RequestForm detail={detail} />
    </div>
  )
}

function RequestForm({ detail: { id, slug, checkoutUrl } }: { detail: ProductDetail }) {
  const form = useForm({
    schema: accessRequestBody,
    send: async (body) => apiRequest('POST', `${PRODUCTS}/${id}/request-access`, body),
    done: () => ({ title: 'Request sent', description: 'We’ll email you an invoice.' }),
    failed: 'Request not sent',
    // Access may have been granted meanwhile.
    touches: [ownAccessUrl(id), `${PRODUCTS}/${slug}`],
  })
  return (
    <Form form={form} className="grid max-w-[68ch] gap-4">
      <p className="text-muted">
        {checkoutUrl
          ? 'For those who cannot buy here: tell us what you need, and we answer by email.'
          : 'We invoice by email. Access starts when the invoice is paid.'}
      </p>
      <Field label="Message" name="message" optional hint="What you need it for, your company, an order number">
        <Textarea most={2000} />
      </Field>
      <div>
        <SubmitButton pending="Sending...">Request access</SubmitButton>
      </div>
    </Form>
  )
}
