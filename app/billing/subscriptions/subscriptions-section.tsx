import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { href, Link } from 'react-router'
import { z } from 'zod/mini'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { ApiError, apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton, QuestionDialog } from '#app/ui/admin/action-button.tsx'
import type { ActionOptions } from '#app/ui/admin/use-action.ts'
import { Badge, type BadgeLook } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { everyWords, nextPage, SUBSCRIPTIONS, type SubscriptionView, subscriptionView, type TestTurn, testTurns } from './subscription.ts'

type One = { subscription: SubscriptionView }

/** The queries to reload after each change: a subscription also orders and opens datasets. */
const touches = [SUBSCRIPTIONS, '/api/orders', '/api/data-products']

const place = ({ reference }: SubscriptionView) => `${SUBSCRIPTIONS}/${reference}`

const looks: Record<SubscriptionView['state'], { label: string; look: BadgeLook }> = {
  active: { label: 'Active', look: 'leaf' },
  grace: { label: 'Payment failed', look: 'alarm' },
  ended: { label: 'Ended', look: 'plain' },
}

/** The subscriptions of the organization: cancelled, continued and changed without talking to anyone. */
export function SubscriptionsSection() {
  const list = useQuery(apiQuery(SUBSCRIPTIONS, z.array(subscriptionView)))
  // Members who may not buy have the orders alone.
  if (list.error instanceof ApiError && list.error.status === 403) return null
  return (
    <AccountSection id="subscriptions" title="Subscriptions" intro="You can cancel at any time. We remind you a week before each renewal.">
      {list.isPending && (
        <div>
          <Loading>Loading your subscriptions...</Loading>
          <Skeleton lines={4} />
        </div>
      )}
      {list.isError && <Failed error={list.error} retry={list.refetch} />}
      {list.data?.length === 0 && (
        // The orders below lead to the datasets.
        <p className="text-small text-muted">No subscriptions. Datasets that you subscribe to appear here with their renewals.</p>
      )}
      {list.data && list.data.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {list.data.map((subscription) => (
            <Subscription key={subscription.reference} subscription={subscription} />
          ))}
        </ul>
      )}
    </AccountSection>
  )
}

function Subscription({ subscription }: One) {
  const { title, slug, state, every, amount, isTest, endsAtPeriodEnd } = subscription
  const { label, look } = endsAtPeriodEnd && state === 'active' ? { label: 'Cancelled', look: 'grain' as const } : looks[state]
  return (
    <li className="grid gap-3 py-4">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          {slug ? (
            <Link to={href('/data-marketplace/:slug', { slug })} className="link wrap-anywhere">
              {title}
            </Link>
          ) : (
            <span className="wrap-anywhere">{title}</span>
          )}
          <Badge look={look}>{label}</Badge>
          {isTest && <Badge>Test</Badge>}
        </p>
        <p className="text-small text-muted">
          {amount} {everyWords[every]}, before tax · <Standing subscription={subscription} />
        </p>
        <Coming subscription={subscription} />
      </div>
      {state === 'grace' && <Unpaid subscription={subscription} />}
      {state !== 'ended' && <Deeds subscription={subscription} />}
      {isTest && <TestClock subscription={subscription} />}
    </li>
  )
}

function Standing({ subscription: { state, periodEnd, endsAtPeriodEnd, graceUntil, endReason } }: One) {
  if (state === 'ended') return <>ended{endReason && `: ${endReason}`}</>
  if (state === 'grace' && graceUntil) return <>access until {formatDay(graceUntil)}</>
  if (!periodEnd) return null
  return (
    <>
      {endsAtPeriodEnd ? 'ends' : 'renews'} on {formatDay(periodEnd)}
    </>
  )
}

/** A renewal that failed, with the ways to mend it. */
function Unpaid({ subscription }: One) {
  const { unpaid, graceUntil, hasPaymentPage, title } = subscription
  return (
    <div
      role="group"
      aria-label={`Unpaid renewal of ${title}`}
      className="grid justify-items-start gap-3 rounded-card border border-alarm bg-alarm-wash p-4"
    >
      <p>
        <strong>The renewal{unpaid && ` of ${unpaid.amount}`} could not be charged.</strong> We try again
        {graceUntil && ` until ${formatDay(graceUntil)}, when your access ends`}.{' '}
        {hasPaymentPage ? 'Pay it now, or update your payment method, to keep your access.' : 'Pay it now to keep your access.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {unpaid && (
          <ButtonLink to={href('/pay/:reference', { reference: unpaid.order })} size="small" reloadDocument>
            Pay {unpaid.amount}
          </ButtonLink>
        )}
        {hasPaymentPage && <PaymentMethod subscription={subscription} look={unpaid ? 'quiet' : 'primary'} />}
      </div>
    </div>
  )
}

/** The announced price. */
function Coming({ subscription: { next, nextPlan, state } }: One) {
  if (state === 'ended') return null
  return (
    <>
      {next && (
        <p className="text-small">
          New price: {next.amount}, with the first renewal on or after {formatDay(next.from)}.
        </p>
      )}
      {nextPlan && <p className="text-small">Changes to {nextPlan} with the next period.</p>}
    </>
  )
}

function Deeds({ subscription }: One) {
  const { title, state, endsAtPeriodEnd, plans, hasPaymentPage } = subscription
  const [asks, setAsks] = useState<'cancel' | 'plan'>()
  const resume = { send: async () => apiRequest('POST', `${place(subscription)}/continue`), done: 'Subscription continued', touches }
  return (
    <div className="flex flex-wrap gap-2">
      {endsAtPeriodEnd && (
        <ActionButton action={{ ...resume, failed: 'Not continued' }} size="small" look="primary" pending="Continuing...">
          Continue subscription
        </ActionButton>
      )}
      {plans.length > 0 && (
        <Button type="button" look="quiet" size="small" aria-label={`Change plan: ${title}`} onClick={() => setAsks('plan')}>
          Change plan
        </Button>
      )}
      {state === 'active' && hasPaymentPage && <PaymentMethod subscription={subscription} look="quiet" />}
      <Button
        type="button"
        look="quiet"
        size="small"
        aria-label={`${endsAtPeriodEnd ? 'End now' : 'Cancel'}: ${title}`}
        onClick={() => setAsks('cancel')}
      >
        {endsAtPeriodEnd ? 'End now' : 'Cancel'}
      </Button>
      {asks === 'cancel' && <CancelDialog subscription={subscription} close={() => setAsks(undefined)} />}
      {asks === 'plan' && <PlanDialog subscription={subscription} close={() => setAsks(undefined)} />}
    </div>
  )
}

/** Follows the address that an answer names, to the page of the provider. */
async function follow(send: () => Promise<Response>): Promise<string | null> {
  const { url } = nextPage.parse(await (await send()).json())
  if (url) window.location.assign(url)
  return url
}

function PaymentMethod({ subscription, look }: One & { look: 'primary' | 'quiet' }) {
  const send = async () => follow(async () => apiRequest('POST', `${place(subscription)}/payment-method`))
  return (
    <ActionButton action={{ send, failed: 'Page not opened', touches: [] }} size="small" look={look} pending="Opening...">
      Update payment method
    </ActionButton>
  )
}

type DialogProps = One & { close: () => void }

/** With its period, or now. In the grace period there is nothing left that is paid for. */
function CancelDialog({ subscription, close }: DialogProps) {
  const { title, periodEnd, state, endsAtPeriodEnd } = subscription
  const [isNow, setNow] = useState(state === 'grace' || endsAtPeriodEnd)
  const until = periodEnd ? formatDay(periodEnd) : ''
  const action: ActionOptions<void, Response> = {
    send: async () => apiRequest('POST', `${place(subscription)}/cancel`, { when: isNow ? 'now' : 'periodEnd' }),
    done: isNow ? 'Subscription ended' : `Subscription ends on ${until}`,
    failed: 'Not cancelled',
    touches,
  }
  const question = isNow ? `End ${title} now?` : `Cancel ${title}?`
  return (
    <QuestionDialog
      action={action}
      close={close}
      question={question}
      confirm={isNow ? 'End now' : 'Cancel subscription'}
      keep="Keep subscription"
      pending="Cancelling..."
    >
      {state === 'active' && !endsAtPeriodEnd ? (
        <fieldset className="grid gap-3">
          <legend className="sr-only">When it ends</legend>
          <Choice label={`On ${until}`} isChosen={!isNow} choose={() => setNow(false)}>
            You keep the access that you have paid for. You can continue until then.
          </Choice>
          <Choice label="Now" isChosen={isNow} choose={() => setNow(true)}>
            Access ends immediately. The rest of the period is not refunded.
          </Choice>
        </fieldset>
      ) : (
        <p>Access ends immediately, and nothing more is charged.</p>
      )}
    </QuestionDialog>
  )
}

type ChoiceProps = { label: string; isChosen: boolean; choose: () => void; children: React.ReactNode }

function Choice({ label, isChosen, choose, children }: ChoiceProps) {
  return (
    <label className="flex gap-3">
      <input type="radio" name="when" checked={isChosen} onChange={choose} className="mt-1 size-5 shrink-0 accent-grain-text" />
      <span>
        <span className="font-semibold text-ink">{label}</span>
        <br />
        {children}
      </span>
    </label>
  )
}

/** Upgrades lead to their payment; other plans begin with the next period. */
function PlanDialog({ subscription, close }: DialogProps) {
  const { title, plans } = subscription
  const choose = (plan: SubscriptionView['plans'][number]): ActionOptions<void, string | null> => ({
    send: async () => follow(async () => apiRequest('POST', `${place(subscription)}/plan`, { offerId: plan.offerId })),
    done: (url) => (url === null ? `Changes to ${everyWords[plan.every]} with the next period` : undefined),
    failed: 'Plan not changed',
    touches,
    onDone: close,
  })
  return (
    <Dialog open onClose={close} title={`Change the plan of ${title}`}>
      <ul className="divide-y divide-line">
        {plans.map((plan) => (
          <li key={plan.offerId} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <div>
              <p className="font-semibold">
                {plan.amount} {everyWords[plan.every]}
              </p>
              <p className="text-small text-muted">{plan.begins}</p>
            </div>
            <ActionButton
              action={choose(plan)}
              size="small"
              look="primary"
              pending="Changing..."
              aria-label={`${plan.now ? `Pay ${plan.now}` : 'Change'}: ${everyWords[plan.every]}`}
            >
              {plan.now ? `Pay ${plan.now}` : 'Change'}
            </ActionButton>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const turnWords: Record<TestTurn, { label: string; done: string }> = {
  renew: { label: 'Renew', done: 'The next period is paid' },
  fail: { label: 'Fail to renew', done: 'The renewal failed' },
  confirm: { label: 'Ask to confirm', done: 'The customer is asked to confirm' },
  recover: { label: 'Pay the open renewal', done: 'The open renewal is paid' },
}

/** Of the test provider: time passes at the press of a button. */
function TestClock({ subscription }: One) {
  return (
    <div
      role="group"
      aria-label={`Test clock of ${subscription.title}`}
      className="flex flex-wrap items-center gap-2 rounded-card bg-sunken p-3"
    >
      <span className="text-small text-muted">Test clock:</span>
      {testTurns.map((turn) => (
        <ActionButton
          key={turn}
          size="small"
          pending="Working..."
          action={{
            send: async () => apiRequest('POST', `${place(subscription)}/test-clock`, { turn }),
            done: turnWords[turn].done,
            failed: 'Nothing happened',
            touches,
          }}
        >
          {turnWords[turn].label}
        </ActionButton>
      ))}
    </div>
  )
}
