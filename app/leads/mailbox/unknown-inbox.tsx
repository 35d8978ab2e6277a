import { keepPreviousData } from '@tanstack/react-query'
import { PaperclipIcon } from 'lucide-react'
import { Link } from 'react-router'
import { useLiveDesk } from '#app/leads/list/use-desk.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { ListPager } from '#app/ui/admin/list-pager.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { urlOf, withChanges } from '#app/ui/admin/view.ts'
import { countOf } from '#app/ui/amount.ts'
import { cx } from '#app/ui/class-names.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { FilterLink } from '#app/ui/filter-link.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { EmailKindBadge } from '#app/leads/reply/email-body.tsx'
import { EmailView } from './email-view.tsx'
import { MailboxNotice } from './mailbox-notice.tsx'
import { LEAD_INBOX, type ListedEmail, unknownEmails } from './unknown-email.ts'

/** The emails of unknown senders, and the one that is open. */
export function UnknownInbox() {
  const { params } = useView()
  const list = usePageQuery({
    ...apiQuery(urlOf(LEAD_INBOX, params, ['state', 'cursor']), unknownEmails),
    placeholderData: keepPreviousData,
  })
  useLiveDesk()
  const open = params.get('email') || undefined
  if (list.isPending) {
    return (
      <div>
        <Loading>Loading emails...</Loading>
        <RowsSkeleton />
      </div>
    )
  }
  if (list.isError) return <Failed as="h2" error={list.error} retry={list.refetch} />
  const { emails, waiting, nextCursor, mailbox } = list.data
  const isDismissed = params.get('state') === 'dismissed'
  return (
    <div className="grid grid-cols-1 gap-4">
      <MailboxNotice mailbox={mailbox} />
      <ul aria-label="Filter" className={cx('flex flex-wrap gap-2', open && 'max-lg:hidden')}>
        <FilterLink
          to={withChanges(params, { state: undefined, email: undefined })}
          name="Waiting"
          count={waiting}
          isChosen={!isDismissed}
        />
        <FilterLink to={withChanges(params, { state: 'dismissed', email: undefined })} name="Dismissed" isChosen={isDismissed} />
      </ul>
      <div
        className={cx('grid grid-cols-1 items-start gap-6', (open || emails.length > 0) && 'lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]')}
      >
        <div className={cx('grid grid-cols-1 gap-3', open && 'max-lg:hidden')}>
          {emails.length === 0 ? <NoEmails isDismissed={isDismissed} /> : <EmailList emails={emails} open={open} />}
          <ListPager place={{ next: nextCursor }} one="email" many="emails" />
        </div>
        {open ? (
          <EmailView key={open} id={open} />
        ) : (
          emails.length > 0 && <p className="text-muted max-lg:hidden">Choose an email to read it.</p>
        )}
      </div>
    </div>
  )
}

function EmailList({ emails, open }: { emails: ListedEmail[]; open: string | undefined }) {
  return (
    <ul aria-label="Emails" className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
      {emails.map((email) => (
        <EmailRow key={email.id} email={email} isOpen={email.id === open} />
      ))}
    </ul>
  )
}

function EmailRow({
  email: { id, kind, fromName, fromAddress, replyToName, replyToAddress, subject, preview, files, receivedAt },
  isOpen,
}: {
  email: ListedEmail
  isOpen: boolean
}) {
  const { params } = useView()
  return (
    <li>
      <Link
        to={withChanges(params, { email: id })}
        preventScrollReset
        aria-current={isOpen ? 'true' : undefined}
        className="grid grid-cols-1 gap-0.5 px-4 py-2.5 text-small hover:bg-sunken focus-visible:-outline-offset-2 aria-[current=true]:bg-sunken"
      >
        <span className="flex items-baseline justify-between gap-3">
          <span className="truncate font-semibold">{replyToName || replyToAddress || fromName || fromAddress || 'Unknown sender'}</span>
          <time dateTime={receivedAt} className="shrink-0 text-fine text-muted">
            {formatMoment(receivedAt)}
          </time>
        </span>
        <span className="flex items-center gap-2">
          <span className="truncate">{subject || 'No subject'}</span>
          <EmailKindBadge kind={kind} />
          {files > 0 && (
            <span className="ml-auto inline-flex shrink-0 items-center gap-1 text-fine text-muted">
              <PaperclipIcon aria-hidden="true" className="size-3.5" />
              <span className="sr-only">{countOf(files, 'file', 'files')}</span>
              <span aria-hidden="true">{files}</span>
            </span>
          )}
        </span>
        <span className="truncate text-muted">{preview}</span>
      </Link>
    </li>
  )
}

function NoEmails({ isDismissed }: { isDismissed: boolean }) {
  if (isDismissed) {
    return (
      <Empty title="No dismissed emails">
        <p>Dismissed emails are deleted after 30 days.</p>
      </Empty>
    )
  }
  return (
    <Empty title="No emails are waiting">
      <p>Emails from unknown senders appear here. Emails that belong to a lead are on its page.</p>
    </Empty>
  )
}
