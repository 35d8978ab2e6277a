import { useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
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
  const client = useQueryClient()
  const change = (method: 'POST' | 'DELETE') => ({
    send: async () => visitorPage.parse(await (await apiRequest(method, url)).json()),
    onDone: (changed: VisitorPage) => client.setQueryData([url], changed),
    done: method === 'POST' ? 'New link made' : 'Link revoked',
    failed: 'Could not change the link',
    touches: leadData,
  })
  if (!page.url)
    return (
      <div className="grid justify-items-start gap-2 text-small">
        <p className="text-muted">Revoked: no link works. Make a new one and send it to the visitor.</p>
        <ActionButton action={change('POST')} size="small">
          Make a new link
        </ActionButton>
      </div>
    )
  return (
    <div className="grid grid-cols-1 gap-2 text-small">
      <p className="text-muted">The acknowledgement email has the link. Anyone with it can see the enquiry and add to it.</p>
      <p className="flex flex-wrap gap-2">
        <CopyButton text={page.url} label="Copy link" />
        <QuestionButton
          action={change('DELETE')}
          size="small"
          label="Revoke the visitor’s link"
          question="Revoke the visitor’s link?"
          confirm="Revoke"
          pending="Revoking..."
        >
          The link in our emails stops working. You can make a new one afterwards.
        </QuestionButton>
      </p>
    </div>
  )
}
