import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { ContactDetail } from './contact-detail.tsx'
import { type WholeContact, wholeContact } from '#app/leads/inbox/lead.ts'
import { useConvert, useRelease } from './use-lead-actions.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'

/** The drawer with the enquiry that the URL names. */
export function ContactPanel({ id }: { id: string }) {
  const { change } = useView()
  const contact = useQuery(apiQuery(`/api/contacts/${encodeURIComponent(id)}`, wholeContact))
  return (
    <Dialog
      open
      side
      onClose={() => change({ contact: undefined })}
      title={contact.data?.name ?? 'Enquiry'}
      actions={
        contact.data && (
          <>
            <Link to={`/leads/${contact.data.reference}`} className={buttonLook('quiet')}>
              Open lead
            </Link>
            <Actions contact={contact.data} />
          </>
        )
      }
    >
      {contact.isPending && <Loading>Loading the enquiry...</Loading>}
      {contact.isError && <Failed error={contact.error} retry={contact.refetch} />}
      {contact.data && <ContactDetail contact={contact.data} />}
    </Dialog>
  )
}

function Actions({ contact }: { contact: WholeContact }) {
  return contact.quarantinedAt ? <QuarantineActions contact={contact} /> : <LeadActions contact={contact} />
}

function QuarantineActions({ contact: { id } }: { contact: WholeContact }) {
  const release = useRelease([id])
  return (
    <Button type="button" busy={release.isPending} onClick={() => release.mutate()}>
      {release.isPending ? 'Releasing...' : 'Release from quarantine'}
    </Button>
  )
}

function LeadActions({ contact: { id, consultationId } }: { contact: WholeContact }) {
  const convert = useConvert(id)
  return (
    <Button
      type="button"
      {...(consultationId && { unavailable: 'This enquiry is already a consultation.' })}
      busy={convert.isPending}
      onClick={() => convert.mutate()}
    >
      {convert.isPending ? 'Converting...' : 'Convert to consultation'}
    </Button>
  )
}
