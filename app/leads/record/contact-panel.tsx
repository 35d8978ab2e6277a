import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useOpened } from '#app/account/notifications/use-unread.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { ContactDetail } from './contact-detail.tsx'
import { type WholeContact, wholeContact } from '#app/leads/lead/lead.ts'
import { ConvertButton } from './convert-button.tsx'
import { useRelease } from '#app/leads/lead/use-lead-actions.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'

/** The drawer with the enquiry that the URL names. */
export function ContactPanel({ id }: { id: string }) {
  const { change } = useView()
  const contact = useQuery(apiQuery(`/api/contacts/${encodeURIComponent(id)}`, wholeContact))
  useOpened(contact.data && `/leads/${contact.data.reference}`)
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
  return <ConvertButton id={id} unavailable={consultationId ? 'This enquiry is already a consultation.' : undefined} />
}
