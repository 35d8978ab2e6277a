import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { useRefreshLeads } from '#app/leads/lead/use-lead-actions.tsx'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { countOf } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { toast } from '#app/ui/toast.ts'
import { LEAD_IMPORTS, leadImport, undoneImport } from './lead-import.ts'

type LeadImport = z.infer<typeof leadImport>

/** Earlier imports, each with an undo while it is possible. */
export function ImportList() {
  const imports = useQuery(apiQuery(LEAD_IMPORTS, z.array(leadImport)))
  const [asked, setAsked] = useState<LeadImport>()
  if (imports.isPending) return <Loading>Loading imports...</Loading>
  if (imports.isError) return <Failed error={imports.error} retry={imports.refetch} />
  if (imports.data.length === 0) return null
  return (
    <section aria-labelledby="imports" className="grid grid-cols-1 gap-2">
      <h2 id="imports" className="text-h3">
        Earlier imports
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface text-small">
        {imports.data.map((each) => (
          <li key={each.id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2">
            <span>
              <span className="font-medium">{each.title}</span> <span className="text-muted">{countOf(each.leads, 'lead', 'leads')}</span>
            </span>
            <span className="flex items-center gap-3 text-muted">
              <time dateTime={each.createdAt}>{formatMoment(each.createdAt)}</time>
              {each.undoneAt && 'Undone'}
              {each.isUndoable && (
                <Button type="button" look="quiet" size="small" onClick={() => setAsked(each)}>
                  Undo import
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {asked && <UndoDialog asked={asked} renew={imports.refetch} close={() => setAsked(undefined)} />}
    </section>
  )
}

function UndoDialog({ asked, renew, close }: { asked: LeadImport; renew: () => Promise<unknown>; close: () => void }) {
  const refresh = useRefreshLeads()
  const [isBusy, setBusy] = useState(false)
  async function undo() {
    setBusy(true)
    try {
      const { removed, left } = undoneImport.parse(await (await apiRequest('POST', `${LEAD_IMPORTS}/${asked.id}/undo`)).json())
      toast({
        title: `${countOf(removed, 'lead', 'leads')} removed`,
        ...(left > 0 && { description: `${countOf(left, 'lead has', 'leads have')} changed since and stay.` }),
      })
    } catch (error) {
      showFailure('Import not undone', error instanceof Error ? error : new Error('Import not undone'))
    }
    close()
    await Promise.all([renew(), refresh()])
  }
  return (
    <ConfirmDialog open onClose={close} onConfirm={() => void undo()} title="Undo this import?" confirm="Undo import" busy={isBusy}>
      <p>Its leads are removed. Leads that someone has worked on since stay.</p>
    </ConfirmDialog>
  )
}
