import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { QuestionDialog } from '#app/ui/admin/action-button.tsx'
import { choiceOf, type Chosen, type ListLook, ListPage, onlyOne } from '#app/ui/admin/list-page.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { countOf } from '#app/ui/amount.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { type EmailState, emailSummary, type EmailSummary, type QueuedEmails, queuedEmails, unsentEmails } from './emails.ts'

/** Emails per page. */
const SHOWN = 50
const EMAILS = '/api/letters'

const canSendAgain = (state: EmailState): state is 'failed' | 'waiting' => state === 'failed' || state === 'waiting'

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
  const query = new URLSearchParams({ state, limit: String(SHOWN + 1), ...(before && { before }) })
  const list = usePageQuery(apiQuery(`${EMAILS}?${query}`, z.array(emailSummary)))
  const [asked, setAsked] = useState<Chosen<EmailSummary>>()
  const retry = useRetry(state)
  const isUnsent = canSendAgain(state)
  const counts = useQuery({ ...apiQuery(`${EMAILS}/unsent`, unsentEmails), enabled: isUnsent }).data
  const count = canSendAgain(state) ? counts?.[state] : undefined
  const next = list.data && list.data.length > SHOWN ? list.data[SHOWN - 1]?.id : undefined
  return (
    <ListPage
      {...look}
      {...views[state]}
      columns={isUnsent ? unsent : look.columns}
      bulk={
        isUnsent
          ? [{ label: 'Send again', busy: retry.isPending, act: (chosen) => (chosen.isAll ? setAsked(chosen) : retry.mutate(chosen)) }]
          : undefined
      }
      whole={count === undefined ? undefined : { count }}
      list={list}
      rows={list.data?.slice(0, SHOWN)}
      place={{ next, count }}
    >
      {asked && <SendAll chosen={asked} state={state} close={() => setAsked(undefined)} />}
    </ListPage>
  )
}

function SendAll({ chosen, state, close }: { chosen: Chosen<EmailSummary>; state: EmailState; close: () => void }) {
  const retry = retryOf(state)
  // Another number of emails is there now: they are chosen again.
  const closeIt = () => {
    close()
    return false
  }
  return (
    <QuestionDialog
      action={{ ...retry, send: async () => retry.send(chosen), onDone: () => chosen.clear(), onRefused: closeIt }}
      close={close}
      question={`Send all ${countOf(chosen.count, 'email', 'emails')} again?`}
      confirm="Send again"
      pending="Sending..."
      look="primary"
    >
      <p>Each person who has not received theirs gets it now. An email that is sent cannot be taken back.</p>
    </QuestionDialog>
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
const retryOf = (state: EmailState) => ({
  async send(chosen: Chosen<EmailSummary>) {
    const answer = await apiRequest('POST', `${EMAILS}/retry`, { choice: choiceOf(chosen, { state }) })
    return queuedEmails.parse(await answer.json())
  },
  done: ({ queued }: QueuedEmails) =>
    queued === 0 ? 'Nothing to queue: it is being sent' : `${countOf(queued, 'email', 'emails')} queued again`,
  failed: 'Email not sent',
  touches: [EMAILS],
})

const useRetry = (state: EmailState) =>
  useAction({ ...retryOf(state), onDone: (_queued: QueuedEmails, { clear }: Chosen<EmailSummary>) => clear() })

function SendAgain({ email }: { email: EmailSummary }) {
  const retry = useRetry(email.state)
  return (
    <Button
      type="button"
      look="quiet"
      size="small"
      className="relative z-1 whitespace-nowrap"
      busy={retry.isPending}
      aria-label={`Send again: ${look.nameOf(email)}`}
      onClick={() => retry.mutate(onlyOne(email))}
    >
      {retry.isPending ? 'Sending...' : 'Send again'}
    </Button>
  )
}
