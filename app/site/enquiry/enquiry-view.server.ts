import { findCallOfEnquiry } from '#app/booking/enquiry-call.server.ts'
import { enquiryPageTexts } from '#app/content/enquiry-page.ts'
import { findCallUrl } from '#app/leads/lead/call-link.server.ts'
import type { EnquiryPage } from '#app/leads/visitor/enquiry-page.server.ts'
import { type NextStep, nextStepsOf, PROPOSAL_STEP } from '#app/leads/lead/next-step.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { weekdayAndTime } from '#app/platform/time/clock.ts'

const { happened: texts } = enquiryPageTexts

/** The page as its reader sees it: times in UTC, because the server does not know their zone. A script shows them in theirs. */
export async function describeEnquiry(page: EnquiryPage, now = new Date()) {
  const call = page.isQuarantined ? undefined : await findCallOfEnquiry(page.id)
  const steps = page.isQuarantined || page.withdrawnAt ? [] : stepsOf(page, call !== undefined && !call.isOver, now)
  return {
    reference: page.reference,
    problem: page.problem,
    message: page.message,
    state: page.isQuarantined ? ('quarantined' as const) : page.withdrawnAt ? ('withdrawn' as const) : ('open' as const),
    steps: steps.map(({ text, by, isLate = false }) => ({
      text,
      isLate,
      by: by && { ...shownTime(new Date(by)), distance: distanceText(new Date(by), now) },
    })),
    isLate: steps.some(({ isLate }) => isLate),
    happened: page.isQuarantined
      ? happenedOf({ ...page, answeredAt: null, proposalSentAt: null, details: [], files: [] }, undefined)
      : happenedOf(page, call),
    details: page.details.map(({ id, text, at }) => ({ id, text, at: shownTime(at) })),
    files: page.files.map(({ id, name, size }) => ({ id, name, size: bytesInWords(size) })),
    call,
    callUrl: await findCallUrl(page.id),
  }
}

/** All promises that are open, late ones too. */
function stepsOf(page: EnquiryPage, isCallAhead: boolean, now: Date): NextStep[] {
  if (page.proposalSentAt) return nextStepsOf({ ...page, stage: 'proposal' }, now)
  const call = isCallAhead ? nextStepsOf({ ...page, stage: 'consultation' }, now) : []
  if (!page.answeredAt) return [...call, ...nextStepsOf({ ...page, stage: 'received' }, now)]
  const answered = nextStepsOf({ ...page, owesProposal: false, stage: 'answered' }, now)
  const { proposal } = page.deadlines
  return [...call, ...answered, ...(page.owesProposal ? [{ text: PROPOSAL_STEP, by: proposal, isLate: new Date(proposal) <= now }] : [])]
}

function happenedOf(page: EnquiryPage, call: Awaited<ReturnType<typeof findCallOfEnquiry>>) {
  const events: { at: Date | null; text: string; more?: string }[] = [
    { at: page.receivedAt, text: texts.received },
    { at: page.answeredAt, text: texts.answered },
    { at: page.proposalSentAt, text: texts.proposal },
    { at: page.withdrawnAt, text: texts.withdrawn },
    ...(call ? [{ at: call.bookedAt, text: call.isOver ? texts.callOver : texts.call, more: call.time }] : []),
    ...page.details.map(({ at }) => ({ at, text: texts.details })),
    ...page.files.map(({ at, name }) => ({ at, text: texts.file, more: name })),
  ]
  return events
    .flatMap(({ at, ...event }) => (at ? [{ ...event, at: shownTime(at) }] : []))
    .toSorted((one, other) => (one.at.iso < other.at.iso ? -1 : one.at.iso > other.at.iso ? 1 : 0))
}

function shownTime(moment: Date): { iso: string; text: string } {
  return { iso: moment.toISOString(), text: weekdayAndTime(moment, 'UTC') }
}

/** `in 1 h 40 min`, `3 h ago`, `in 2 days`. */
function distanceText(moment: Date, now: Date): string {
  const minutes = Math.round(Math.abs(moment.getTime() - now.getTime()) / 60_000)
  const hours = Math.floor(minutes / 60)
  const length =
    hours >= 48
      ? `${Math.floor(hours / 24)} days`
      : hours >= 10 || minutes % 60 === 0
        ? `${hours} h`
        : hours > 0
          ? `${hours} h ${minutes % 60} min`
          : `${minutes} min`
  return moment > now ? `in ${length}` : `${length} ago`
}
