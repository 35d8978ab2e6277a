import { RotateCwIcon, SendIcon } from 'lucide-react'
import { href, Link } from 'react-router'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { numberText } from '#app/platform/english-number.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { type TableColumn, useTable } from '#app/ui/admin/use-table.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { Progress } from '#app/ui/progress.tsx'
import { newsletterData, NEWSLETTER_POSTS, type NewsletterIssue, type NewsletterPost, newsletterPosts } from './newsletter.ts'

/** Milliseconds between two looks at emails that are on their way. */
const POLL_MS = 2000

/** Public posts, newest first, each with its email to subscribers. The address names the post whose dialog is open. */
export function IssueList() {
  const { params, change } = useView()
  const list = usePageQuery({
    ...apiQuery(NEWSLETTER_POSTS, newsletterPosts),
    refetchInterval: ({ state }) => (state.data?.posts.some(({ issue }) => issue && issue.waiting > 0) ? POLL_MS : false),
  })
  const { posts = [], recipients = 0, canSend = true } = list.data ?? {}
  const table = useTable({ name: 'issues', columns, rows: posts })
  const chosen = posts.find(({ id, issue }) => id === params.get('send') && !issue)
  if (list.isPending) {
    return (
      <div>
        <Loading>Loading posts...</Loading>
        <RowsSkeleton columns={4} />
      </div>
    )
  }
  if (list.isError) return <Failed error={list.error} retry={list.refetch} />
  if (posts.length === 0) {
    return (
      <Empty title="No published posts yet">
        <p>Once a post is published, you can send it to your subscribers from here.</p>
      </Empty>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      {!canSend && (
        <p className="rounded-card border border-l-4 border-line border-l-alarm bg-surface px-5 py-3.5 text-small">
          No mail server is set up, so emails wait. Set <code>SMTP_URL</code>, then restart.
        </p>
      )}
      <Running posts={posts} />
      <DataTable
        table={table}
        caption="Posts and their emails"
        nameOf={({ title }) => title}
        renderNarrow={(post) => <IssueState issue={post.issue} />}
      />
      {chosen && <SendDialog post={chosen} recipients={recipients} close={() => change({ send: undefined })} />}
    </div>
  )
}

const columns: TableColumn<NewsletterPost>[] = [
  {
    key: 'post',
    head: 'Post',
    view: ({ slug, title }) => (
      <Link to={href('/blog/:slug', { slug })} title={title} className="relative z-1 font-medium hover:underline">
        {title}
      </Link>
    ),
  },
  {
    key: 'published',
    head: 'Published',
    width: '8rem',
    from: 'large',
    kind: 'data',
    view: ({ publishedAt }) => <time dateTime={publishedAt}>{formatDay(publishedAt)}</time>,
  },
  { key: 'email', head: 'Email', width: '22rem', from: 'medium', view: ({ issue }) => <IssueState issue={issue} /> },
  { key: 'action', head: 'Action', width: '8rem', view: (post) => <IssueAction post={post} /> },
]

function IssueState({ issue }: { issue: NewsletterIssue | null }) {
  if (!issue) return <span className="text-muted">Not sent</span>
  const { sent, waiting, bounced, failed, skipped, sentAt } = issue
  const parts = [
    `${numberText(sent)} sent`,
    ...(bounced > 0 ? [`${bounced} bounced`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ]
  const look = waiting > 0 ? 'grain' : failed > 0 ? 'alarm' : 'leaf'
  return (
    <span title={`Sent ${formatMoment(sentAt)}`}>
      <Badge look={look}>{waiting > 0 ? 'Sending' : failed > 0 ? 'Incomplete' : 'Sent'}</Badge> {parts.join(', ')}
    </span>
  )
}

function IssueAction({ post: { id, title, issue } }: { post: NewsletterPost }) {
  const { change } = useView()
  const retry = {
    send: async () => apiRequest('POST', `${NEWSLETTER_POSTS}/${id}/retry`),
    done: 'Failed emails queued again',
    failed: 'Emails not sent',
    touches: newsletterData,
  }
  if (!issue) {
    return (
      <Button type="button" look="quiet" size="small" aria-label={`Send to subscribers: ${title}`} onClick={() => change({ send: id })}>
        <SendIcon aria-hidden="true" className="size-4" />
        Send
      </Button>
    )
  }
  if (issue.failed === 0) return null
  return (
    <ActionButton action={retry} size="small" aria-label={`Send failed emails again: ${title}`} pending="Sending...">
      <RotateCwIcon aria-hidden="true" className="size-4" />
      Send again
    </ActionButton>
  )
}

/** The progress of each post that is being sent. */
function Running({ posts }: { posts: readonly NewsletterPost[] }) {
  return posts.map(({ id, title, issue }) => {
    if (!issue || issue.waiting === 0) return null
    const done = issue.recipients - issue.waiting
    return (
      <section key={id} aria-label={`Sending ${title}`} className="grid gap-2 rounded-card border border-line bg-surface p-4">
        <p className="text-small font-medium wrap-anywhere">Sending “{title}”</p>
        <Progress label={`Sending ${title}`} value={done} max={issue.recipients}>
          <span>
            {numberText(done)} of {numberText(issue.recipients)}
          </span>
        </Progress>
      </section>
    )
  })
}

function SendDialog({ post: { id, title }, recipients, close }: { post: NewsletterPost; recipients: number; close: () => void }) {
  const send = useAction({
    send: async () => apiRequest('POST', `${NEWSLETTER_POSTS}/${id}/send`),
    done: 'Sending to subscribers',
    failed: 'Post not sent',
    onDone: close,
    touches: newsletterData,
  })
  if (recipients === 0) {
    return (
      <ConfirmDialog open onClose={close} onConfirm={close} title="No subscribers yet" confirm="OK" look="primary">
        <p>No subscription is confirmed yet. You can send the post once there is one.</p>
      </ConfirmDialog>
    )
  }
  const people = recipients === 1 ? '1 subscriber' : `${numberText(recipients)} subscribers`
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={() => send.mutate()}
      title={`Send to ${people}?`}
      confirm={send.isPending ? 'Sending...' : `Send to ${people}`}
      look="primary"
      busy={send.isPending}
    >
      <p className="font-semibold text-ink wrap-anywhere">{title}</p>
      <p>They get an email with its title, its excerpt and a link. A post is sent once; emails cannot be recalled.</p>
    </ConfirmDialog>
  )
}
