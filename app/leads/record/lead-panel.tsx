import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useOpened } from '#app/account/notifications/use-unread.tsx'
import { useRelease } from '#app/leads/lead/use-lead-actions.tsx'
import { StageMenu } from '#app/leads/list/stage-menu.tsx'
import { pipelineQuery } from '#app/leads/list/use-desk.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { ConvertButton } from './convert-button.tsx'
import { LeadRecord } from './lead-record.tsx'
import type { LeadDetail } from './timeline.ts'
import { leadQuery } from './use-lead.tsx'

/** The drawer with the record of the lead that the URL names. */
export function LeadPanel({ id }: { id: string }) {
  const { change } = useView()
  const lead = useQuery(leadQuery(id))
  useOpened(lead.data && `/leads/${lead.data.reference}`)
  return (
    <Dialog
      open
      side
      onClose={() => change({ contact: undefined })}
      title={lead.data?.name ?? 'Enquiry'}
      actions={lead.data && <LeadActions lead={lead.data} />}
    >
      {lead.isPending && <Loading>Loading the enquiry...</Loading>}
      {lead.isError && <Failed error={lead.error} retry={lead.refetch} />}
      {lead.data && <LeadRecord lead={lead.data} />}
    </Dialog>
  )
}

function LeadActions({ lead }: { lead: LeadDetail }) {
  const { id, reference, quarantinedAt, consultationId } = lead
  const pipeline = useQuery(pipelineQuery).data
  return (
    <>
      {pipeline && <StageMenu lead={lead} pipeline={pipeline} />}
      <Link to={`/leads/${reference}`} className={buttonLook('quiet')}>
        Open lead
      </Link>
      {quarantinedAt ? (
        <ReleaseButton id={id} />
      ) : (
        <ConvertButton id={id} unavailable={consultationId ? 'This enquiry is already a consultation.' : undefined} />
      )}
    </>
  )
}

function ReleaseButton({ id }: { id: string }) {
  const release = useRelease()
  return (
    <Button type="button" busy={release.isPending} onClick={() => release.mutate([{ id }])}>
      {release.isPending ? 'Releasing...' : 'Release from quarantine'}
    </Button>
  )
}
