import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Toast } from '#app/ui/toast.ts'
import { feedBody, hostFeed, type HostFeed, type ListedHost, MOST_FEEDS } from './calendar.ts'
import { PrivateAddress } from './private-address.tsx'
import { feedsQuery, hostUrl } from './use-calendar.tsx'

/** Calendars whose busy times block calls, and the address under which other programs read the calls. */
export function FeedsPanel({ you }: { you: ListedHost }) {
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-6">
      <FeedList you={you} />
      <PrivateAddress you={you} />
    </div>
  )
}

function FeedList({ you }: { you: ListedHost }) {
  const [adding, setAdding] = useState(false)
  const feeds = useQuery(feedsQuery(you.id))
  const isFull = (feeds.data?.length ?? 0) >= MOST_FEEDS
  return (
    <Card as="section" aria-labelledby="feeds" className="grid gap-3">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <div className="max-w-prose">
          <h2 id="feeds" className="text-h3">
            Calendars that block calls
          </h2>
          <p className="text-small text-muted">
            Visitors can’t book while you’re busy elsewhere. We read each calendar every 15 minutes and store only its busy times.
          </p>
        </div>
        <Button
          type="button"
          look="quiet"
          {...(isFull && { unavailable: `You have ${MOST_FEEDS} calendars. Remove one first.` })}
          onClick={() => setAdding(true)}
        >
          Add a calendar
        </Button>
      </header>
      {feeds.isPending && <Skeleton lines={3} />}
      {feeds.isError && <Failed error={feeds.error} retry={feeds.refetch} />}
      {feeds.data?.length === 0 && (
        <p className="text-small text-muted">
          No calendars yet. Google, Outlook and Apple have an iCal address in the settings of a calendar.
        </p>
      )}
      {feeds.data && feeds.data.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {feeds.data.map((feed) => (
            <FeedLine key={feed.id} you={you} feed={feed} />
          ))}
        </ul>
      )}
      {adding && <AddFeed you={you} close={() => setAdding(false)} />}
    </Card>
  )
}

const states = {
  new: { word: 'Not read yet', look: 'plain' },
  ok: { word: 'Up to date', look: 'leaf' },
  failing: { word: 'Failing', look: 'alarm' },
} as const

function FeedLine({ you, feed }: { you: ListedHost; feed: HostFeed }) {
  const { id, label, server, state, lastSuccessAt, note } = feed
  const url = `${hostUrl(you.id)}/feeds/${id}`
  const touches = feedsQuery(you.id).queryKey
  const read = {
    send: async () => hostFeed.parse(await (await apiRequest('POST', `${url}/read`)).json()),
    done: (now: HostFeed) => readToast(now, 'Calendar read', 'Calendar not read'),
    failed: 'Could not read the calendar',
    touches,
  }
  const removal = {
    send: async () => apiRequest('DELETE', url),
    done: 'Calendar deleted',
    failed: 'Could not delete the calendar',
    touches,
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5 text-small">
      <div className="min-w-0 grow basis-60">
        <p className="flex flex-wrap items-center gap-2">
          <span className="truncate font-medium">{label}</span>
          <Badge look={states[state].look}>{states[state].word}</Badge>
        </p>
        <p className="text-fine text-muted">
          {server}
          {lastSuccessAt && (
            <>
              {' · read '}
              <time dateTime={lastSuccessAt}>{formatMoment(lastSuccessAt)}</time>
            </>
          )}
        </p>
        {note && (
          <p className={state === 'failing' ? 'text-fine text-alarm' : 'text-fine text-muted'}>
            {note}
            {state === 'failing' && lastSuccessAt && ' The last busy times still count.'}
          </p>
        )}
      </div>
      <div className="flex gap-2">
        <ActionButton action={read} size="small" aria-label={`Read now: ${label}`} pending="Reading...">
          Read now
        </ActionButton>
        <QuestionButton
          action={removal}
          size="small"
          aria-label={`Delete ${label}`}
          label="Delete"
          question="Delete this calendar?"
          confirm="Delete"
        >
          “{label}” no longer blocks calls.
        </QuestionButton>
      </div>
    </li>
  )
}

function AddFeed({ you, close }: { you: ListedHost; close: () => void }) {
  const form = useForm({
    schema: feedBody,
    send: async (body) => hostFeed.parse(await (await apiRequest('POST', `${hostUrl(you.id)}/feeds`, body)).json()),
    done: (feed) => readToast(feed, 'Calendar added', 'Calendar added, but not read'),
    failed: 'Could not add the calendar',
    touches: feedsQuery(you.id).queryKey,
    onDone: close,
  })
  return (
    <FormDialog form={form} title="Add a calendar" submit="Add calendar" pending="Reading..." onClose={close}>
      <Field label="Name" name="label" hint="Only you and the owner see it.">
        <Input autoComplete="off" />
      </Field>
      <Field label="iCal address" name="url" hint="It begins with https:// or webcal:// and often ends with .ics.">
        <Input inputMode="url" autoComplete="off" />
      </Field>
    </FormDialog>
  )
}

function readToast({ state, note }: HostFeed, read: string, unread: string): Toast {
  return state === 'ok' ? { title: read } : { title: unread, description: note ?? '', look: 'danger' }
}
