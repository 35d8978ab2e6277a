import { z } from 'zod/mini'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { type EmailState, emailSummary, type EmailSummary } from './emails.ts'

/** Emails per page. */
const SHOWN = 50
const EMAILS = '/api/letters'

const canSendAgain = (state: EmailState) => state === 'failed' || state === 'waiting'

const views: Record<EmailState, Pick<ListLook<EmailSummary>, 'caption' | 'empty'>> = {
  failed: {
    caption: 'Emails that could not be sent',
    empty: { title: 'No failed emails', text: 'Emails that could not be sent appear here. You can send them again.' },
  },
  waiting: {
    caption: 'Queued emails',
    empty: { title: 'No queued emails', text: 'Emails stay here until the mail server accepts them.' },
  },
  expired: {
    caption: 'Emails that expired before they could be sent',
    empty: {
      title: 'No expired emails',
      text: 'An email whose link or code expired while the mail server was away is not sent. It is listed here for 90 days.',
    },
  },
  sent: {
    caption: 'Sent emails',
    empty: { title: 'No sent emails', text: 'Sent emails are listed for 90 days, without their content.' },
  },
}

const look: Omit<ListLook<EmailSummary>, 'caption'> = {
  name: 'emails',
  one: 'email',
  many: 'emails',
  loading: 'Loading emails...',
  nameOf: ({ subject, kind }) => subject ?? kind,
  columns: [
    { key: 'email', head: 'Email', view: ({ subject, kind }) => <span className="font-medium">{subject ?? kind}</span> },
    { key: 'to', head: 'To', from: 'small', view: ({ to }) => <span title={to}>{to}</span> },
    { key: 'at', head: 'Time', width: '12.5rem', from: 'medium', kind: 'data', view: (email) => <At email={email} /> },
  ],
  renderNarrow: (email) => (
    <>
      <span className="w-full truncate">{email.to}</span>
      <At email={email} />
      {canSendAgain(email.state) && <Attempts email={email} />}
    </>
  ),
}

const unsent: ListLook<EmailSummary>['columns'] = [
  ...look.columns,
  { key: 'attempt', head: 'Last attempt', from: 'medium', view: (email) => <Attempts email={email} /> },
  { key: 'action', head: 'Action', width: '8rem', view: (email) => <SendAgain email={email} /> },
]

/** Emails of one status, newest first. Unsent emails have a button that sends them again, one by one or several at once. */
export function EmailsTable({ state }: { state: EmailState }) {
  const { params } = useView()
  const before = params.get('cursor')
  // One extra row tells whether there is a next page.
  const asked = new URLSearchParams({ state, limit: String(SHOWN + 1), ...(before && { before }) })
  const list = usePageQuery(apiQuery(`${EMAILS}?${asked}`, z.array(emailSummary)))
  const retry = useRetry()
  const isUnsent = canSendAgain(state)
  const next = list.data && list.data.length > SHOWN ? list.data[SHOWN - 1]?.id : undefined
  return (
    <ListPage
      {...look}
      {...views[state]}
      columns={isUnsent ? unsent : look.columns}
      bulk={
        isUnsent
          ? [{ label: 'Send again', busy: retry.isPending, act: ({ rows, clear }) => retry.mutate(rows, { onSuccess: clear }) }]
          : undefined
      }
      list={list}
      rows={list.data?.slice(0, SHOWN)}
      place={{ next }}
    />
  )
}

function At({ email: { sentAt, postedAt } }: { email: EmailSummary }) {
  const at = sentAt ?? postedAt
  return (
    <time dateTime={at} title={sentAt ? 'Sent' : 'Posted'}>
      {formatMoment(at)}
    </time>
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
      aria-label={`Send again: ${look.nameOf(email)}`}
      onClick={() => retry.mutate([email])}
    >
      {retry.isPending ? 'Sending...' : 'Send again'}
    </Button>
  )
}
