import { promisedTime } from '#app/content/hours.ts'
import { type ClockName, clockLabels } from '#app/leads/lead/promises.ts'
import type { WholeContact } from '#app/leads/lead/lead.ts'
import { Button } from '#app/ui/button.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { hoursSince } from '#app/leads/lead/format.ts'
import { useMarkAnswered, useMarkWaiting, useReopenProposal, useSettleProposal } from '#app/leads/lead/use-lead-actions.tsx'

type ClockedLead = Pick<WholeContact, 'id' | 'deadlines' | 'withdrawnAt' | 'closedAs' | 'answeredAt' | 'proposal' | 'proposalSettledAt'>

/** The promised deadlines of an enquiry, with buttons that stop a clock or restart it. */
export function ServiceClocks({ contact }: { contact: ClockedLead }) {
  return (
    <section aria-label="Reply deadlines" className="divide-y divide-line rounded-card border border-line">
      <Answer contact={contact} />
      <Proposal contact={contact} />
    </section>
  )
}

function Answer({ contact }: { contact: ClockedLead }) {
  const { id, deadlines, answeredAt, proposal } = contact
  const answer = useMarkAnswered(id)
  const wait = useMarkWaiting(id)
  const undo =
    proposal === 'sent'
      ? { unavailable: 'Sending the proposal counts as the reply. Reopen the proposal first.' }
      : { onClick: () => wait.mutate() }
  return (
    <Clock
      of="acknowledgement"
      due={deadlines.acknowledgement}
      ended={answeredAt ? `Answered ${formatMoment(answeredAt)}` : noneDue(contact)}
    >
      {answeredAt ? (
        <Button type="button" look="quiet" size="small" busy={wait.isPending} {...undo}>
          Undo
        </Button>
      ) : (
        !contact.closedAs && (
          <Button type="button" look="quiet" size="small" busy={answer.isPending} onClick={() => answer.mutate()}>
            Mark as answered
          </Button>
        )
      )}
    </Clock>
  )
}

function Proposal({ contact }: { contact: ClockedLead }) {
  const { id, deadlines, proposal, proposalSettledAt } = contact
  const send = useSettleProposal(id, 'sent')
  const spare = useSettleProposal(id, 'not_needed')
  const reopen = useReopenProposal(id)
  const ended = proposalSettledAt && `${proposal === 'sent' ? 'Sent' : 'Not needed,'} ${formatMoment(proposalSettledAt)}`
  return (
    <Clock of="proposal" due={deadlines.proposal} ended={ended ?? noneDue(contact)}>
      {proposal ? (
        <Button type="button" look="quiet" size="small" busy={reopen.isPending} onClick={() => reopen.mutate()}>
          Reopen
        </Button>
      ) : (
        !contact.closedAs && (
          <>
            <Button type="button" look="quiet" size="small" busy={send.isPending} onClick={() => send.mutate()}>
              Proposal sent
            </Button>
            <Button type="button" look="quiet" size="small" busy={spare.isPending} onClick={() => spare.mutate()}>
              Not needed
            </Button>
          </>
        )
      )}
    </Clock>
  )
}

/** Why nothing is due. */
function noneDue({ withdrawnAt, closedAs }: ClockedLead): string | null {
  if (withdrawnAt) return `Withdrawn by the sender ${formatMoment(withdrawnAt)}`
  return closedAs && `Nothing due: the lead is ${closedAs}`
}

type ClockProps = { of: ClockName; due: string; ended: string | null; children: React.ReactNode }

function Clock({ of, due, ended, children }: ClockProps) {
  const isLate = hoursSince(due) > 0
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <p>
        <span className="font-semibold">{clockLabels[of]}</span> <span className="text-muted">within {promisedTime(of)}</span>
        <br />
        <span className={isLate && !ended ? 'font-semibold text-alarm' : 'text-muted'}>
          {ended ?? `${isLate ? 'Was due' : 'Due'} ${formatMoment(due)}`}
        </span>
      </p>
      <span className="flex flex-wrap gap-2">{children}</span>
    </div>
  )
}
