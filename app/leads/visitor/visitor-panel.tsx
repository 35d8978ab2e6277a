import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { useRefreshLeads } from '#app/leads/lead/use-lead-actions.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { toast } from '#app/ui/toast.ts'
import { type VisitorPage, visitorPage } from './visitor-page.ts'

/** The visitor's own page of a lead, for staff: its link. Files that the visitor has added are with the other files of the lead. */
export function VisitorPanel({ reference }: { reference: string }) {
  const url = `/api/visitor-pages/${encodeURIComponent(reference)}`
  const page = useQuery(apiQuery(url, visitorPage))
  return (
    <section aria-labelledby="visitor-page" className="grid grid-cols-1 gap-2">
      <h2 id="visitor-page" className="text-h3">
        Visitor’s page
      </h2>
      {page.isPending && <Skeleton lines={2} />}
      {page.isError && <Failed error={page.error} retry={page.refetch} />}
      {page.data && <VisitorLink url={url} page={page.data} />}
    </section>
  )
}

function VisitorLink({ url, page }: { url: string; page: VisitorPage }) {
  const [isAsking, ask] = useState(false)
  const client = useQueryClient()
  const refresh = useRefreshLeads()
  const change = useMutation({
    mutationFn: async (method: 'POST' | 'DELETE') => visitorPage.parse(await (await apiRequest(method, url)).json()),
    async onSuccess(changed) {
      ask(false)
      client.setQueryData([url], changed)
      toast({ title: changed.url ? 'New link made' : 'Link revoked' })
      await refresh()
    },
    onError(error) {
      ask(false)
      showFailure('Could not change the link', error)
    },
  })
  if (!page.url)
    return (
      <div className="grid justify-items-start gap-2 text-small">
        <p className="text-muted">Revoked: no link works. Make a new one and send it to the visitor.</p>
        <Button type="button" look="quiet" size="small" busy={change.isPending} onClick={() => change.mutate('POST')}>
          Make a new link
        </Button>
      </div>
    )
  return (
    <div className="grid grid-cols-1 gap-2 text-small">
      <p className="text-muted">The acknowledgement email has the link. Anyone with it can see the enquiry and add to it.</p>
      <p className="flex flex-wrap gap-2">
        <CopyButton text={page.url} label="Copy link" />
        <Button type="button" look="quiet" size="small" onClick={() => ask(true)}>
          Revoke the visitor’s link
        </Button>
      </p>
      <ConfirmDialog
        open={isAsking}
        onClose={() => ask(false)}
        onConfirm={() => change.mutate('DELETE')}
        title="Revoke the visitor’s link?"
        confirm={change.isPending ? 'Revoking...' : 'Revoke'}
        busy={change.isPending}
      >
        The link in our emails stops working. You can make a new one afterwards.
      </ConfirmDialog>
    </div>
  )
}
