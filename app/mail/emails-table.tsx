import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { z } from 'zod/mini'
import { ApiError, apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'
import { toast } from '#app/ui/toast.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { type EmailState, emailSummary, type EmailSummary } from './emails.ts'

/** Emails per page. */
const SHOWN = 50
const EMAILS = '/api/letters'

const views = {
  failed: { caption: 'Emails that could not be sent', none: 'No failed emails.' },
  waiting: { caption: 'Queued emails', none: 'Emails stay here until the mail server accepts them.' },
  sent: { caption: 'Sent emails', none: 'Sent emails are listed for 90 days, without their content.' },
} satisfies Record<EmailState, { caption: string; none: string }>

/** Emails of one status, newest first, from the cursor in the URL. Unsent emails have a Resend button. */
export function EmailsTable({ state }: { state: EmailState }) {
  const { caption, none } = views[state]
  const [params] = useSearchParams()
  const before = params.get('before')
  // One extra row tells whether there is a next page.
  const asked = new URLSearchParams({ state, limit: String(SHOWN + 1), ...(before && { before }) })
  const emails = useQuery(apiQuery(`${EMAILS}?${asked}`, z.array(emailSummary)))
  if (emails.isPending) return <Loading>Loading emails...</Loading>
  if (emails.isError) return <Failed error={emails.error} retry={emails.refetch} />
  const pager = <EmailsPager state={state} last={emails.data.length > SHOWN ? emails.data[SHOWN - 1]?.id : undefined} />
  if (emails.data.length === 0) {
    return (
      <>
        <Empty title="No emails here">{none}</Empty>
        {pager}
      </>
    )
  }
  return (
    <>
      <Table caption={caption}>
        <thead>
          <tr>
            <HeadCell>Email</HeadCell>
            <HeadCell>To</HeadCell>
            <HeadCell>{state === 'sent' ? 'Sent' : 'Posted'}</HeadCell>
            {state !== 'sent' && <HeadCell>Last attempt</HeadCell>}
            {state !== 'sent' && <HeadCell>Action</HeadCell>}
          </tr>
        </thead>
        <tbody>
          {emails.data.slice(0, SHOWN).map((email) => (
            <EmailRow key={email.id} email={email} />
          ))}
        </tbody>
      </Table>
      {pager}
    </>
  )
}

function EmailRow({ email }: { email: EmailSummary }) {
  const at = email.sentAt ?? email.postedAt
  return (
    <TableRow>
      <Cell className="min-w-52">{email.subject ?? email.kind}</Cell>
      <Cell className="whitespace-nowrap">{email.to}</Cell>
      <Cell kind="data">
        <time dateTime={at}>{formatMoment(at)}</time>
      </Cell>
      {email.state !== 'sent' && (
        <Cell className="min-w-64">
          <Attempts email={email} />
        </Cell>
      )}
      {email.state !== 'sent' && (
        <Cell className="text-right">
          <SendAgain email={email} />
        </Cell>
      )}
    </TableRow>
  )
}

function Attempts({ email: { attempts, reason, state, nextAttemptAt } }: { email: EmailSummary }) {
  if (!reason) return <Badge>{attempts === 0 ? 'Not tried yet' : 'Being sent'}</Badge>
  return (
    <>
      {reason}
      <span className="block text-muted">
        {attempts === 1 ? 'After one attempt' : `After ${attempts} attempts`}
        {state === 'waiting' && nextAttemptAt && `, next ${formatMoment(nextAttemptAt)}`}
      </span>
    </>
  )
}

function SendAgain({ email: { id, subject, kind } }: { email: EmailSummary }) {
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => apiRequest('POST', `${EMAILS}/${id}/retry`),
    onSuccess: () => toast({ title: 'Email queued again' }),
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) return
      toast({
        title: 'Email not sent',
        description: error instanceof ApiError ? error.detail : 'Please try again.',
        look: 'danger',
      })
    },
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey: [url] }) => String(url).startsWith(EMAILS) }),
  })
  return (
    <Button
      type="button"
      look="quiet"
      size="small"
      className="whitespace-nowrap"
      busy={retry.isPending}
      aria-label={`Send again: ${subject ?? kind}`}
      onClick={() => retry.mutate()}
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
