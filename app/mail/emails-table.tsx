import { Link, useSearchParams } from 'react-router'
import { z } from 'zod/mini'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { type TableColumn, useTable } from '#app/ui/admin/use-table.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { type EmailState, emailSummary, type EmailSummary } from './emails.ts'

/** Emails per page. */
const SHOWN = 50
const EMAILS = '/api/letters'

const views = {
  failed: {
    caption: 'Emails that could not be sent',
    title: 'No failed emails',
    none: 'Emails that could not be sent appear here. You can send them again.',
  },
  waiting: { caption: 'Queued emails', title: 'No queued emails', none: 'Emails stay here until the mail server accepts them.' },
  expired: {
    caption: 'Emails that expired before they could be sent',
    title: 'No expired emails',
    none: 'An email whose link or code expired while the mail server was away is not sent. It is listed here for 90 days.',
  },
  sent: { caption: 'Sent emails', title: 'No sent emails', none: 'Sent emails are listed for 90 days, without their content.' },
} satisfies Record<EmailState, { caption: string; title: string; none: string }>

/** Emails of one status, newest first, from the cursor in the URL. Unsent emails have a Resend button, one by one or several at once. */
export function EmailsTable({ state }: { state: EmailState }) {
  const { caption, title, none } = views[state]
  const [params] = useSearchParams()
  const before = params.get('before')
  // One extra row tells whether there is a next page.
  const asked = new URLSearchParams({ state, limit: String(SHOWN + 1), ...(before && { before }) })
  const emails = usePageQuery(apiQuery(`${EMAILS}?${asked}`, z.array(emailSummary)))
  const table = useTable({ name: 'emails', columns: columnsOf(state), rows: emails.data?.slice(0, SHOWN) ?? [] })
  const retry = useRetry()
  if (emails.isPending) {
    return (
      <div>
        <Loading>Loading emails...</Loading>
        <RowsSkeleton columns={4} />
      </div>
    )
  }
  if (emails.isError) return <Failed error={emails.error} retry={emails.refetch} />
  const pager = <EmailsPager state={state} last={emails.data.length > SHOWN ? emails.data[SHOWN - 1]?.id : undefined} />
  if (emails.data.length === 0) {
    return (
      <>
        <Empty title={title}>{none}</Empty>
        {pager}
      </>
    )
  }
  const renderBulk = (rows: readonly EmailSummary[], clear: () => void) => (
    <Button type="button" look="quiet" size="small" busy={retry.isPending} onClick={() => retry.mutate(rows, { onSuccess: clear })}>
      {retry.isPending ? 'Sending...' : 'Send again'}
    </Button>
  )
  return (
    <>
      <DataTable table={table} caption={caption} nameOf={nameOf} renderNarrow={Narrow} {...(canSendAgain(state) && { renderBulk })} />
      {pager}
    </>
  )
}

const canSendAgain = (state: EmailState) => state === 'failed' || state === 'waiting'
const nameOf = ({ subject, kind }: EmailSummary) => subject ?? kind

function columnsOf(state: EmailState): TableColumn<EmailSummary>[] {
  const columns: TableColumn<EmailSummary>[] = [
    { key: 'email', head: 'Email', view: (email) => <span className="font-medium">{nameOf(email)}</span> },
    { key: 'to', head: 'To', from: 'small', view: ({ to }) => <span title={to}>{to}</span> },
    {
      key: 'at',
      head: state === 'sent' ? 'Sent' : 'Posted',
      width: '12.5rem',
      from: 'medium',
      kind: 'data',
      view: (email) => <At email={email} />,
    },
  ]
  if (!canSendAgain(state)) return columns
  return [
    ...columns,
    { key: 'attempt', head: 'Last attempt', from: 'medium', view: (email) => <Attempts email={email} /> },
    { key: 'action', head: 'Action', width: '8rem', view: (email) => <SendAgain email={email} /> },
  ]
}

function At({ email: { sentAt, postedAt } }: { email: EmailSummary }) {
  const at = sentAt ?? postedAt
  return <time dateTime={at}>{formatMoment(at)}</time>
}

function Narrow(email: EmailSummary) {
  return (
    <>
      <span className="w-full truncate">{email.to}</span>
      <At email={email} />
      {canSendAgain(email.state) && <Attempts email={email} />}
    </>
  )
}

function Attempts({ email: { attempts, reason, state, nextAttemptAt } }: { email: EmailSummary }) {
  if (!reason) return <Badge>{attempts === 0 ? 'Not tried yet' : 'Being sent'}</Badge>
  const times = attempts === 1 ? 'After one attempt' : `After ${attempts} attempts`
  const next = state === 'waiting' && nextAttemptAt ? `, next ${formatMoment(nextAttemptAt)}` : ''
  return (
    <span title={`${reason} ${times}${next}`}>
      <Badge look={state === 'failed' ? 'alarm' : 'grain'}>{state === 'failed' ? 'Failed' : 'Waiting'}</Badge> {reason}{' '}
      <span className="text-muted">
        {times}
        {next}
      </span>
    </span>
  )
}

/** Sends one or several emails again. */
function useRetry() {
  return useAction({
    async send(emails: readonly EmailSummary[]) {
      for (const { id } of emails) await apiRequest('POST', `${EMAILS}/${id}/retry`)
    },
    done: (_nothing, emails) => (emails.length === 1 ? 'Email queued again' : `${emails.length} emails queued again`),
    failed: 'Email not sent',
    touches: [EMAILS],
  })
}

function SendAgain({ email }: { email: EmailSummary }) {
  const retry = useRetry()
  return (
    <Button
      type="button"
      look="quiet"
      size="small"
      className="relative z-1 whitespace-nowrap"
      busy={retry.isPending}
      aria-label={`Send again: ${nameOf(email)}`}
      onClick={() => retry.mutate([email])}
    >
      {retry.isPending ? 'Sending...' : 'Send again'}
    </Button>
  )
}

/** Links to older emails and back to the newest. `last` is the last email of a page that has a next one. */
function EmailsPager({ state, last }: { state: EmailState; last: string | undefined }) {
  const [params] = useSearchParams()
  const isFirst = !params.has('before')
  if (isFirst && !last) return null
  return (
    <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
      {!isFirst && (
        <Link to={`?state=${state}`} preventScrollReset className={buttonLook('quiet', 'small')}>
          Newest
        </Link>
      )}
      {last && (
        <Link
          to={`?${new URLSearchParams({ state, before: last })}`}
          rel="next"
          preventScrollReset
          className={buttonLook('quiet', 'small')}
        >
          Older
        </Link>
      )}
    </nav>
  )
}
