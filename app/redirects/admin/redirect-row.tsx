import { ExternalLink } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import type { Placed } from '#app/ui/admin/order.ts'
import { OrderedRow, type OrderedRowProps } from '#app/ui/admin/ordered-row.tsx'
import { type Redirect, REDIRECTS } from '#app/redirects/rules/redirect.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { DeleteButton } from '#app/ui/admin/delete-button.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { isExternal } from './redirect-view.ts'
import { invalidateRedirects, showRedirectFailure } from './redirect-errors.ts'

type RowProps = Omit<OrderedRowProps, 'row' | 'name'> & { redirect: Placed<Redirect>; edit: (redirect: Redirect) => void }

export function RedirectRow({ redirect, edit, ...place }: RowProps) {
  const { fromPath } = redirect
  const actions = (
    <>
      <Button type="button" look="quiet" size="small" aria-label={`Edit ${fromPath}`} onClick={() => edit(redirect)}>
        Edit
      </Button>
      <DeleteRedirect redirect={redirect} />
    </>
  )
  return (
    <OrderedRow {...place} row={redirect} name={fromPath} actions={actions}>
      <About redirect={redirect} />
    </OrderedRow>
  )
}

function About({ redirect }: { redirect: Redirect }) {
  const { fromPath, toPath, statusCode, isActive, description, kind, createdAt } = redirect
  return (
    <div className="grid min-w-0 content-start gap-2">
      <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 font-mono text-small">
        <span className="min-w-0 font-semibold wrap-anywhere">{fromPath}</span>
        <span aria-hidden="true" className="text-muted">
          →
        </span>
        <span className="sr-only">redirects to</span>
        <span className="min-w-0 wrap-anywhere">
          {toPath}
          {isExternal(toPath) && (
            <ExternalLink role="img" aria-label="Another site" className="ml-1.5 inline size-3.5 align-baseline text-muted" />
          )}
        </span>
      </p>
      {description && <p className="text-small text-muted wrap-anywhere">{description}</p>}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <span className="flex flex-wrap gap-1.5">
          <Badge look={isActive ? 'leaf' : 'plain'} dot={isActive}>
            {isActive ? 'Active' : 'Inactive'}
          </Badge>
          <Badge>{statusCode}</Badge>
          {kind !== 'exact' && <Badge>{kind === 'wildcard' ? 'Wildcard' : 'Pattern'}</Badge>}
        </span>
        <span className="flex flex-wrap gap-x-3 font-mono text-fine text-muted">
          <span>
            Created <time dateTime={createdAt}>{formatDay(createdAt)}</time>
          </span>
          <Hits redirect={redirect} />
        </span>
      </div>
    </div>
  )
}

function Hits({ redirect: { hits, lastHitAt } }: { redirect: Redirect }) {
  if (!lastHitAt) return <span>Never hit</span>
  return (
    <span>
      {hits === 1 ? '1 hit' : `${hits.toLocaleString('en')} hits`}, last <time dateTime={lastHitAt}>{formatDay(lastHitAt)}</time>
    </span>
  )
}

function DeleteRedirect({ redirect: { id, fromPath, toPath } }: { redirect: Redirect }) {
  const client = useQueryClient()
  async function onDeleted() {
    toast({ title: 'Redirect deleted successfully' })
    await invalidateRedirects(client)
  }
  return (
    <DeleteButton
      name={fromPath}
      question="Are you sure you want to delete this redirect?"
      remove={async () => apiRequest('DELETE', `${REDIRECTS}/${encodeURIComponent(id)}`)}
      onDeleted={onDeleted}
      onFailure={(error) => showRedirectFailure('Error deleting redirect', error)}
    >
      <p className="font-mono text-small text-ink wrap-anywhere">
        {fromPath} → {toPath}
      </p>
      <p>Its path will no longer redirect.</p>
    </DeleteButton>
  )
}
