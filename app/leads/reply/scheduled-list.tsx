import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import type { LeadMessage } from './message.ts'
import { undoReply, sendReply, type ReplyDraft } from './use-reply.tsx'

type ScheduledListProps = { messages: readonly LeadMessage[]; onCancelled: (draft: ReplyDraft) => void }

/** Replies that are due later: each can be sent now, or cancelled. */
export function ScheduledList({ messages, onCancelled }: ScheduledListProps) {
  if (messages.length === 0) return null
  return (
    <section aria-labelledby="scheduled" className="grid grid-cols-1 gap-2">
      <h2 id="scheduled" className="text-h3">
        Scheduled emails
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface text-small">
        {messages.map((message) => (
          <ScheduledReply key={message.id} message={message} onCancelled={onCancelled} />
        ))}
      </ul>
    </section>
  )
}

function ScheduledReply({
  message: { id, subject, sendAt },
  onCancelled,
}: {
  message: LeadMessage
  onCancelled: (draft: ReplyDraft) => void
}) {
  const { method, url, done } = sendReply(id)
  const send = { send: async () => apiRequest(method, url), done, failed: 'Not sent', touches: leadData }
  const cancel = {
    send: async () => undoReply(id),
    onDone: onCancelled,
    done: () => ({ title: 'Email cancelled', description: 'Its text is in the editor again.' }),
    failed: 'Not cancelled',
    touches: leadData,
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-3.5 py-2.5">
      <span className="grid min-w-0">
        <span className="truncate font-medium">{subject}</span>
        {sendAt && (
          <span className="text-fine text-muted">
            Due <time dateTime={sendAt}>{formatMoment(sendAt)}</time>
          </span>
        )}
      </span>
      <span className="flex gap-2">
        <ActionButton action={send} size="small" pending="Sending...">
          Send now
        </ActionButton>
        <ActionButton action={cancel} size="small" pending="Cancelling...">
          Cancel
        </ActionButton>
      </span>
    </li>
  )
}
