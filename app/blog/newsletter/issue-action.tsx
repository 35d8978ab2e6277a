import { RotateCwIcon, SendIcon } from 'lucide-react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { ActionButton, QuestionDialog } from '#app/ui/admin/action-button.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { newsletterData, NEWSLETTER_POSTS, type NewsletterIssue, type NewsletterPost } from './newsletter.ts'

/** The state of the email about a post. */
export function IssueState({ issue }: { issue: NewsletterIssue | null }) {
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

/** Sends a post to its subscribers, above the link of its row. */
export function IssueAction({ post: { id, title, issue } }: { post: NewsletterPost }) {
  const { change } = useView()
  const retry = {
    send: async () => apiRequest('POST', `${NEWSLETTER_POSTS}/${id}/retry`),
    done: 'Failed emails queued again',
    failed: 'Emails not sent',
    touches: newsletterData,
  }
  if (!issue) {
    return (
      <Button
        type="button"
        look="quiet"
        size="small"
        className="relative z-1"
        aria-label={`Send to subscribers: ${title}`}
        onClick={() => change({ send: id })}
      >
        <SendIcon aria-hidden="true" className="size-4" />
        Send
      </Button>
    )
  }
  if (issue.failed === 0) return null
  return (
    <ActionButton
      action={retry}
      size="small"
      className="relative z-1"
      aria-label={`Send failed emails again: ${title}`}
      pending="Sending..."
    >
      <RotateCwIcon aria-hidden="true" className="size-4" />
      Send again
    </ActionButton>
  )
}

export function SendDialog({ post: { id, title }, recipients, close }: { post: NewsletterPost; recipients: number; close: () => void }) {
  const send = {
    send: async () => apiRequest('POST', `${NEWSLETTER_POSTS}/${id}/send`),
    done: 'Sending to subscribers',
    failed: 'Post not sent',
    touches: newsletterData,
  }
  if (recipients === 0) {
    return (
      <ConfirmDialog open onClose={close} onConfirm={close} title="No subscribers yet" confirm="OK" look="primary">
        <p>No subscription is confirmed yet. You can send the post once there is one.</p>
      </ConfirmDialog>
    )
  }
  const people = recipients === 1 ? '1 subscriber' : `${numberText(recipients)} subscribers`
  return (
    <QuestionDialog
      action={send}
      close={close}
      question={`Send to ${people}?`}
      confirm={`Send to ${people}`}
      pending="Sending..."
      look="primary"
    >
      <p className="font-semibold text-ink wrap-anywhere">{title}</p>
      <p>They get an email with its title, its excerpt and a link. A post is sent once; emails cannot be recalled.</p>
    </QuestionDialog>
  )
}
