import { Link } from 'react-router'
import { apiRequest } from '#app/platform/browser/api.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { Form } from '#app/ui/admin/form.tsx'
import { RecordFacts } from '#app/ui/admin/record.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { viewText } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Card } from '#app/ui/card.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Textarea } from '#app/ui/input.tsx'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { PROPOSAL_DATA } from './proposal-editor.tsx'
import {
  answerBody,
  countersignBody,
  type Proposal,
  type ProposalQuestion,
  proposalLimits,
  proposalStateTexts,
  stateLooks,
  startBody,
} from './proposal.ts'

/** A version that was sent: its state, its questions, and what comes next. */
export function ProposalRecord({ proposal, isNewest }: { proposal: Proposal; isNewest: boolean }) {
  const { id, number, reference, state, content, net, url, acceptance } = proposal
  const preview = new URL(url).pathname
  return (
    <Card as="section" aria-labelledby={`version-${id}`} className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={`version-${id}`} className="flex flex-wrap items-baseline gap-x-3 text-h3">
          Version {number} <span className="font-mono text-small text-muted">{reference}</span>
        </h2>
        <Badge look={stateLooks[state]}>{proposalStateTexts[state]}</Badge>
      </div>
      <Facts proposal={proposal} />
      <div className="flex flex-wrap items-center gap-3">
        <a href={preview} target="_blank" rel="noreferrer" className={buttonLook('quiet')}>
          Open the client’s page
        </a>
        {state === 'sent' && <CopyButton text={url} label="Copy link" size="regular" />}
        {acceptance && (
          <a href={`/api/proposals/${id}/signed.pdf`} className={buttonLook('quiet')}>
            Signed file (PDF)
          </a>
        )}
        {state === 'sent' && <Withdraw proposal={proposal} />}
      </div>
      <Questions proposal={proposal} />
      {acceptance && <Work proposal={proposal} />}
      {isNewest && state === 'sent' && (
        <p className="text-small text-muted">
          {content.title}: {moneyText(net, content.currency)} before tax. A new version replaces this one when it is sent.
        </p>
      )}
    </Card>
  )
}

function Facts({ proposal }: { proposal: Proposal }) {
  const {
    content,
    net,
    sentAt,
    sentTo,
    openedAt,
    settledAt,
    state,
    reason,
    acceptance,
    countersignedAt,
    countersignedName,
    startedAt,
    startReason,
  } = proposal
  const { currency, validUntil } = content
  return (
    <RecordFacts
      facts={[
        ['Title', content.title],
        ['Before tax', moneyText(net, currency)],
        ['With tax', acceptance && moneyText(acceptance.gross, currency)],
        ['Sent', sentAt && `${formatMoment(sentAt)} to ${sentTo}`],
        ['Opened', openedAt ? formatMoment(openedAt) : state === 'sent' && 'Not yet'],
        ['Valid until', (state === 'sent' || state === 'expired') && formatDay(validUntil)],
        [proposalStateTexts[state], state !== 'sent' && settledAt && formatMoment(settledAt)],
        ['Reason', reason],
        ['Signed by', acceptance && `${acceptance.name}, ${acceptance.email}`],
        [
          'Buyer',
          acceptance && (
            <Link to={`/admin/organizations/${acceptance.organizationId}`} className="link">
              {acceptance.company}
            </Link>
          ),
        ],
        ['Countersigned', countersignedAt && `${countersignedName}, ${formatMoment(countersignedAt)}`],
        ['Work began', startedAt && formatMoment(startedAt)],
        ['Began before the deposit', startReason],
      ]}
    />
  )
}

function Withdraw({ proposal: { id, number } }: { proposal: Proposal }) {
  return (
    <QuestionButton
      label="Withdraw"
      question={`Withdraw version ${number}?`}
      confirm="Withdraw"
      pending="Withdrawing..."
      action={{
        send: async () => apiRequest('POST', `/api/proposals/${id}/withdraw`, { reason: '' }),
        done: 'Proposal withdrawn',
        failed: 'Proposal not withdrawn',
        touches: PROPOSAL_DATA,
      }}
    >
      The client can read it, and no longer accept it.
    </QuestionButton>
  )
}

function Questions({ proposal }: { proposal: Proposal }) {
  const { questions, content } = proposal
  if (questions.length === 0) return null
  return (
    <section aria-label="Questions" className="grid gap-3 border-t border-line pt-4">
      <h3>Questions of the client</h3>
      <ul className="grid gap-4">
        {questions.map((question) => (
          <li key={question.id} className="grid gap-2">
            <p className="text-small text-muted">
              {content.lines.find(({ id }) => id === question.lineId)?.title ?? 'The whole proposal'}, {formatMoment(question.createdAt)}
            </p>
            <p className="rounded-card bg-sunken px-4 py-3 whitespace-pre-line wrap-anywhere">{question.question}</p>
            {question.answer ? (
              <p className="px-4 whitespace-pre-line wrap-anywhere">{question.answer}</p>
            ) : (
              <Answer proposalId={proposal.id} question={question} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Answer({ proposalId, question: { id } }: { proposalId: string; question: ProposalQuestion }) {
  const form = useForm({
    schema: answerBody,
    send: async (body) => apiRequest('PUT', `/api/proposals/${proposalId}/questions/${id}`, body),
    done: 'Answer sent',
    failed: 'Answer not sent',
    touches: PROPOSAL_DATA,
  })
  return (
    <Form form={form} className="grid gap-2">
      <Field label="Answer" name="answer" id={`answer-${id}`} tool hint="On the client’s page, and by email.">
        <Textarea rows={2} className="min-h-16!" most={proposalLimits.question} />
      </Field>
      <SubmitButton className="justify-self-start" look="quiet" pending="Sending...">
        Send answer
      </SubmitButton>
    </Form>
  )
}

const orderNames = { deposit: 'Deposit', final: 'Final payment' }

/** After the signature: our own, the start, the payments. */
function Work({ proposal }: { proposal: Proposal }) {
  const { id, orders, countersignedAt, startedAt } = proposal
  const awaited = orders.some(({ kind, state }) => kind === 'deposit' && (state === 'open' || state === 'processing'))
  const hasFinal = orders.some(({ kind, state }) => kind === 'final' && ['open', 'processing', 'paid'].includes(state))
  return (
    <section aria-label="Work and payments" className="grid gap-4 border-t border-line pt-4">
      {orders.length > 0 && (
        <ul className="divide-y divide-line border-b border-line text-small">
          {orders.map(({ id: orderId, kind, reference, state, gross, currency }) => (
            <li key={orderId} className="flex flex-wrap items-baseline justify-between gap-3 py-2">
              <span>
                {orderNames[kind]}{' '}
                <Link to={`/admin/billing/orders/${reference}`} className="link font-mono text-fine">
                  {reference}
                </Link>
              </span>
              <span className="flex items-center gap-3">
                <span className="font-mono text-fine">{moneyText(gross, currency)}</span>
                <Badge look={state === 'paid' ? 'leaf' : state === 'open' || state === 'processing' ? 'grain' : 'plain'}>
                  {viewText(state)}
                </Badge>
              </span>
            </li>
          ))}
        </ul>
      )}
      {!countersignedAt && <Countersign id={id} />}
      {awaited && !startedAt && <StartEarly id={id} />}
      {!hasFinal && (
        <QuestionButton
          className="justify-self-start"
          label="Order the final payment"
          question="Order the final payment?"
          confirm="Order and invoice"
          confirmLook="primary"
          pending="Ordering..."
          {...(awaited && { unavailable: 'The deposit is not paid yet.' })}
          action={{
            send: async () => apiRequest('POST', `/api/proposals/${id}/final`),
            done: 'Final payment ordered',
            failed: 'Final payment not ordered',
            touches: PROPOSAL_DATA,
          }}
        >
          The client gets an invoice over the whole, less what was paid before. Do it at delivery.
        </QuestionButton>
      )}
    </section>
  )
}

function Countersign({ id }: { id: string }) {
  const form = useForm({
    schema: countersignBody,
    send: async (body) => apiRequest('POST', `/api/proposals/${id}/countersign`, body),
    done: 'Proposal countersigned',
    failed: 'Proposal not countersigned',
    touches: PROPOSAL_DATA,
  })
  return (
    <Form form={form} className="grid max-w-xl gap-2">
      <Field label="Your name" name="name" hint="Countersigns for your business. The client gets a file with both signatures.">
        <Input autoComplete="name" />
      </Field>
      <SubmitButton className="justify-self-start" pending="Signing...">
        Countersign
      </SubmitButton>
    </Form>
  )
}

function StartEarly({ id }: { id: string }) {
  const form = useForm({
    schema: startBody,
    send: async (body) => apiRequest('POST', `/api/proposals/${id}/start`, body),
    done: 'Start noted',
    failed: 'Start not noted',
    touches: PROPOSAL_DATA,
  })
  return (
    <Form form={form} className="grid max-w-xl gap-2">
      <Field label="Begin before the deposit is paid: why?" name="reason" hint="The audit log and the timeline keep it.">
        <Textarea rows={2} className="min-h-16!" most={proposalLimits.reason} />
      </Field>
      <SubmitButton className="justify-self-start" look="quiet">
        Begin the work
      </SubmitButton>
    </Form>
  )
}
