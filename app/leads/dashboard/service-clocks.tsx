import { promises } from '#app/leads/promises.ts'
import type { WholeContact } from '#app/leads/inbox/lead.ts'
import { Button } from '#app/ui/button.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { hoursSince } from './format.ts'
import { useMarkAnswered, useMarkWaiting, useReopenProposal, useSettleProposal } from './use-lead-actions.tsx'

type ClockedLead = Pick<WholeContact, 'id' | 'promisedFrom' | 'answeredAt' | 'proposal' | 'proposalSettledAt'>

/** The promised deadlines of an enquiry, with buttons that stop a clock or restart it. */
export function ServiceClocks({ contact }: { contact: ClockedLead }) {
  return (
    <section aria-label="Reply deadlines" className="divide-y divide-line rounded-card border border-line">
      <Answer contact={contact} />
      <Proposal contact={contact} />
    </section>
  )
}

function Answer({ contact: { id, promisedFrom, answeredAt, proposal } }: { contact: ClockedLead }) {
  const answer = useMarkAnswered(id)
  const wait = useMarkWaiting(id)
  const undo =
    proposal === 'sent'
      ? { unavailable: 'Sending the proposal counts as the reply. Reopen the proposal first.' }
      : { onClick: () => wait.mutate() }
  return (
    <Clock
      name="Acknowledgement"
      hours={promises.readHours}
      since={promisedFrom}
      ended={answeredAt && `Answered ${formatMoment(answeredAt)}`}
    >
      {answeredAt ? (
        <Button type="button" look="quiet" size="small" busy={wait.isPending} {...undo}>
          Undo
        </Button>
      ) : (
        <Button type="button" look="quiet" size="small" busy={answer.isPending} onClick={() => answer.mutate()}>
          Mark as answered
        </Button>
      )}
    </Clock>
  )
}

function Proposal({ contact: { id, promisedFrom, proposal, proposalSettledAt } }: { contact: ClockedLead }) {
  const send = useSettleProposal(id, 'sent')
  const spare = useSettleProposal(id, 'not_needed')
  const reopen = useReopenProposal(id)
  const ended = proposalSettledAt && `${proposal === 'sent' ? 'Sent' : 'Not needed,'} ${formatMoment(proposalSettledAt)}`
  return (
    <Clock name="Proposal" hours={promises.proposalHours} since={promisedFrom} ended={ended}>
      {proposal ? (
        <Button type="button" look="quiet" size="small" busy={reopen.isPending} onClick={() => reopen.mutate()}>
          Reopen
        </Button>
      ) : (
        <>
          <Button type="button" look="quiet" size="small" busy={send.isPending} onClick={() => send.mutate()}>
            Proposal sent
          </Button>
          <Button type="button" look="quiet" size="small" busy={spare.isPending} onClick={() => spare.mutate()}>
            Not needed
          </Button>
        </>
      )}
    </Clock>
  )
}

type ClockProps = { name: string; hours: number; since: string; ended: string | null; children: React.ReactNode }

/** Counts all hours: the site promises no business hours. */
function Clock({ name, hours, since, ended, children }: ClockProps) {
  const due = new Date(new Date(since).getTime() + hours * 3_600_000)
  const isLate = hoursSince(since) > hours
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <p>
        <span className="font-semibold">{name}</span> <span className="text-muted">within {hours} hours</span>
        <br />
        <span className={isLate && !ended ? 'font-semibold text-alarm' : 'text-muted'}>
          {ended ?? `${isLate ? 'Was due' : 'Due'} ${formatMoment(due.toISOString())}`}
        </span>
      </p>
      <span className="flex flex-wrap gap-2">{children}</span>
    </div>
  )
}
