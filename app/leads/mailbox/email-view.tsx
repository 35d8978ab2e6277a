import { useQuery } from '@tanstack/react-query'
import { ArrowLeftIcon } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { LeadFileList } from '#app/leads/reply/file-list.tsx'
import { ApiError, apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { AddToLeadDialog } from './add-to-lead-dialog.tsx'
import { EmailBody, EmailKindBadge } from '#app/leads/reply/email-body.tsx'
import { LEAD_INBOX, type LeadEmail, leadEmail } from './unknown-email.ts'

const newCode = laterCode('The form', () => import('#app/leads/list/new-lead-dialog.tsx'))

/** One received email, with what can be done with it. */
export function EmailView({ id }: { id: string }) {
  const email = useQuery(apiQuery(`${LEAD_INBOX}/${encodeURIComponent(id)}`, leadEmail))
  if (email.data) return <OpenEmail email={email.data} />
  if (email.isPending) {
    return (
      <div>
        <Loading>Loading the email...</Loading>
        <Skeleton lines={8} />
      </div>
    )
  }
  const isGone = email.error instanceof ApiError && [404, 400, 422].includes(email.error.status)
  if (!isGone) return <Failed as="h2" error={email.error} retry={email.refetch} />
  return (
    <Empty title="Email not found" action={<BackToList className={buttonLook('quiet')} />}>
      <p>It was deleted, or its lead was.</p>
    </Empty>
  )
}

function BackToList({ className }: { className: string }) {
  const { params } = useView()
  return (
    <Link to={withChanges(params, { email: undefined })} preventScrollReset className={className}>
      <ArrowLeftIcon aria-hidden="true" className="size-4" />
      All emails
    </Link>
  )
}

function OpenEmail({ email }: { email: LeadEmail }) {
  const { kind, fromName, fromAddress, replyToName, replyToAddress, toAddresses, subject, receivedAt, error, files, reference } = email
  return (
    <article aria-labelledby="email-subject" className="grid grid-cols-1 gap-4">
      <BackToList className={buttonLook('quiet', 'small', 'justify-self-start lg:hidden')} />
      <header className="grid grid-cols-1 gap-1">
        <h2 id="email-subject" className="text-h3 wrap-anywhere">
          {subject || 'No subject'}
        </h2>
        <p className="flex flex-wrap items-center gap-x-1.5 text-small wrap-anywhere">
          <EmailKindBadge kind={kind} />
          {fromName && <span className="font-semibold">{fromName}</span>}
          <span className="text-muted">{fromAddress || 'no address'}</span>
          {replyToAddress && <span className="text-muted">Replies go to {[replyToName, replyToAddress].filter(Boolean).join(', ')}</span>}
        </p>
        <p className="text-fine wrap-anywhere text-muted">
          {toAddresses.length > 0 && `To ${toAddresses.join(', ')} · `}
          <time dateTime={receivedAt}>{formatMoment(receivedAt)}</time>
        </p>
      </header>
      {reference ? (
        <p className="text-small">
          This email belongs to{' '}
          <Link to={`/leads/${reference}`} className="link font-mono">
            {reference}
          </Link>
          .
        </p>
      ) : (
        <EmailActions email={email} />
      )}
      {error && <p className="rounded-card bg-sunken px-4 py-3 text-small">{error}</p>}
      <EmailBody email={email} />
      {files.length > 0 && (
        <section aria-labelledby="email-files" className="grid grid-cols-1 gap-1">
          <h3 id="email-files" className="text-small font-semibold">
            Files
          </h3>
          <LeadFileList label="Files" files={files} />
        </section>
      )}
    </article>
  )
}

function EmailActions({ email: { id, state, suggestions, begin } }: { email: LeadEmail }) {
  const [isMaking, setMaking] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const { params } = useView()
  const navigate = useNavigate()
  const url = `${LEAD_INBOX}/${id}`
  const leave = () => void navigate(withChanges(params, { email: undefined }), { preventScrollReset: true })
  const [verb, back] = state === 'received' ? (['dismiss', 'restore'] as const) : (['restore', 'dismiss'] as const)
  const dismiss = {
    send: async () => apiRequest('POST', `${url}/${verb}`),
    done: verb === 'dismiss' ? 'Email dismissed' : 'Email restored',
    undo: () => async () => apiRequest('POST', `${url}/${back}`),
    failed: 'Nothing changed',
    touches: leadData,
    onDone: leave,
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="button" onClick={() => setMaking(true)} onPointerEnter={newCode.warm}>
        Make it a lead
      </Button>
      <Button type="button" look="quiet" onClick={() => setAdding(true)}>
        Add to a lead
      </Button>
      <ActionButton action={dismiss}>{verb === 'dismiss' ? 'Dismiss' : 'Restore'}</ActionButton>
      {isMaking && (
        <LaterDialog code={newCode} onClose={() => setMaking(false)}>
          {({ NewLeadDialog }) => <NewLeadDialog from={{ url: `${url}/lead`, begin }} close={() => setMaking(false)} />}
        </LaterDialog>
      )}
      {isAdding && <AddToLeadDialog url={`${url}/lead`} suggestions={suggestions} close={() => setAdding(false)} />}
    </div>
  )
}
