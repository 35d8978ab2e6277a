import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { dayInWords } from './words.ts'
import { ApiError, apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Textarea } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { toast } from '#app/ui/toast.ts'
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

function RequestForm({ detail: { id, slug } }: { detail: ProductDetail }) {
  const client = useQueryClient()
  const ask = useMutation({
    mutationFn: async (message: string) => apiRequest('POST', `${PRODUCTS}/${id}/request-access`, { message }),
    async onSuccess() {
      toast({ title: 'Request sent', description: 'We’ll email you an invoice.' })
      await client.invalidateQueries({ queryKey: [ownAccessUrl(id)] })
    },
    async onError(error) {
      if (error instanceof ApiError && error.status === 401) return
      toast({ title: 'Request not sent', description: error instanceof ApiError ? error.detail : 'Please try again.', look: 'danger' })
      // Access may have been granted meanwhile.
      if (error instanceof ApiError && error.status === 409) await client.invalidateQueries({ queryKey: [`${PRODUCTS}/${slug}`] })
    },
  })
  const error = ask.error instanceof ApiError ? ask.error.problem?.errors?.message : undefined
  return (
    <form
      method="post"
      noValidate
      className="grid max-w-[68ch] gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const message = new FormData(event.currentTarget).get('message')
        ask.mutate(typeof message === 'string' ? message : '')
      }}
    >
      <p className="text-muted">We invoice by email. Access starts when the invoice is paid.</p>
      <Field label="Message" name="message" optional error={error} hint="What you need it for, your company, an order number">
        <Textarea most={2000} />
      </Field>
      <div>
        <Button busy={ask.isPending}>{ask.isPending ? 'Sending...' : 'Request access'}</Button>
      </div>
    </form>
  )
}
