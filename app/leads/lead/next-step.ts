import { terms } from '#app/content/terms.ts'
import type { ClockName } from './promises.ts'
import type { OwnEnquiry } from './lead.ts'

export const PROPOSAL_STEP = 'We send our proposal.'

/** A future or overdue step, with its deadline (ISO 8601) where the site promises one. */
export type NextStep = { text: string; by?: string; isLate?: boolean }

/** The next steps of an enquiry, as its sender reads them. */
export function nextStepsOf(
  { stage, deadlines, owesProposal }: Pick<OwnEnquiry, 'stage' | 'deadlines' | 'owesProposal'>,
  now = new Date(),
): NextStep[] {
  const isLate = (clock: ClockName) => new Date(deadlines[clock]) <= now
  const step = (text: string, clock: ClockName): NextStep => ({ text, by: deadlines[clock], isLate: isLate(clock) })
  if (stage === 'withdrawn') return [{ text: 'You withdrew this enquiry. We stopped working on it.' }]
  if (stage === 'granted') return [{ text: 'We gave you access. Find the dataset under “Your datasets”.' }]
  if (stage === 'declined') return [{ text: 'We declined this request. Our email says why.' }]
  if (stage === 'proposal') return [{ text: 'Check your email for our proposal. Reply with questions, or to accept.' }]
  if (stage === 'consultation') return [{ text: `We discuss it in a ${terms.callLength} call.` }]
  if (stage === 'received') {
    return [
      step('A person confirms that they have read it.', 'acknowledgement'),
      step('We reply with a proposal or with questions.', 'response'),
    ]
  }
  const answered = { text: 'Check your email for our reply, and answer it to continue.' }
  const isProposalAhead = owesProposal && !isLate('proposal')
  return isProposalAhead ? [answered, step(PROPOSAL_STEP, 'proposal')] : [answered]
}
