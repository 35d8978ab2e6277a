import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { ApiError, apiQuery, apiRequest } from '#app/platform/api.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Cell, HeadCell, Row, Table } from '#app/ui/table.tsx'
import { toast } from '#app/ui/toast.ts'
import { LettersPager } from './letters-pager.tsx'
import type { LetterState, LetterSummary } from './letters.ts'

/** Letters of one page. */
const SHOWN = 50
const LETTERS = '/api/letters'

const views = {
  failed: { caption: 'Emails that could not be sent', none: 'Every email has found its way, or is still on it.' },
  waiting: { caption: 'Emails on their way', none: 'An email waits here for a moment, or longer while the mail server does not take it.' },
  sent: { caption: 'Emails that are out', none: 'What has been sent is listed here for 90 days, without what it said.' },
} satisfies Record<LetterState, { caption: string; none: string }>

/** Letters of one state, from the one that the address names on, else the newest. A letter that is not out can be sent again at once. */
export function LettersTable({ state }: { state: LetterState }) {
  const { caption, none } = views[state]
  const [params] = useSearchParams()
  const before = params.get('before')
  // One more than is shown tells whether there are more.
  const asked = new URLSearchParams({ state, limit: String(SHOWN + 1), ...(before && { before }) })
  const letters = useQuery(apiQuery<LetterSummary[]>(`${LETTERS}?${asked}`))
  if (letters.isPending) return <Loading>Loading emails...</Loading>
  if (letters.isError) return <Failed error={letters.error} retry={letters.refetch} />
  const pager = <LettersPager state={state} last={letters.data.length > SHOWN ? letters.data[SHOWN - 1]?.id : undefined} />
  if (letters.data.length === 0) {
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
          {letters.data.slice(0, SHOWN).map((letter) => (
            <LetterRow key={letter.id} letter={letter} />
          ))}
        </tbody>
      </Table>
      {pager}
    </>
  )
}

function LetterRow({ letter }: { letter: LetterSummary }) {
  const at = letter.sentAt ?? letter.postedAt
  return (
    <Row>
      <Cell className="min-w-52">{letter.subject ?? letter.kind}</Cell>
      <Cell className="whitespace-nowrap">{letter.to}</Cell>
      <Cell kind="data">
        <time dateTime={at}>{formatMoment(at)}</time>
      </Cell>
      {letter.state !== 'sent' && (
        <Cell className="min-w-64">
          <Attempts letter={letter} />
        </Cell>
      )}
      {letter.state !== 'sent' && (
        <Cell className="text-right">
          <SendAgain letter={letter} />
        </Cell>
      )}
    </Row>
  )
}

function Attempts({ letter: { attempts, reason, state, nextAttemptAt } }: { letter: LetterSummary }) {
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

function SendAgain({ letter: { id, subject, kind } }: { letter: LetterSummary }) {
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => apiRequest('POST', `${LETTERS}/${id}/retry`),
    onSuccess: () => toast({ title: 'On its way again' }),
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) return
      toast({
        title: 'Could not send it again',
        description: error instanceof ApiError ? error.detail : 'Please try again.',
        look: 'danger',
      })
    },
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey: [url] }) => String(url).startsWith(LETTERS) }),
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
