import { data, redirect } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { actOnTestCheckout } from '#app/billing/payments/test-checkout.server.ts'
import { testDeed, type TestDeed } from '#app/billing/payments/test-deed.ts'
import { findTestObject } from '#app/billing/payments/test-objects.server.ts'
import { findTestRenewal, payTestRenewal } from '#app/billing/subscriptions/test-subscription.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Page } from '#app/ui/page.tsx'
import { Refusal } from '#app/ui/refusal.tsx'
import type { Route } from './+types/test-pay.page.ts'

/** Like a page of a provider, it is opened by whoever has its address. */
export const handle = { access: 'public', isDeal: true } satisfies Handle

export const headers = () => ({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })

export const meta = () => pageMeta({ title: 'Test payment', index: false })

/** A checkout, or a renewal that could not be charged. */
async function find(id: string) {
  if (!env.PAYMENTS.includes('test')) return stop('notFound', 'There is no such test payment.')
  const checkout = await findTestObject('checkout', id)
  if (checkout) {
    const isOver = checkout.state !== 'open' || new Date(checkout.expiresAt) < new Date()
    return { ...checkout, every: checkout.subscription?.every ?? null, isOver, isRenewal: false }
  }
  const renewal = (await findTestRenewal(id)) ?? stop('notFound', 'There is no such test payment.')
  const [isOver, isPaid] = [renewal.state !== 'open', renewal.state === 'paid']
  return { ...renewal, isOver, isPaid, returnUrl: `${env.SITE_URL}/account/billing#subscriptions`, isRenewal: true }
}

export async function loader({ params: { id } }: Route.LoaderArgs) {
  const { title, amount, currency, state, isPaid, tax, isOver, returnUrl, every, isRenewal } = await find(id)
  const ending = isOver && endingOf(state, isPaid)
  const taxed = tax && {
    net: moneyText(amount - tax.tax, currency),
    tax: moneyText(tax.tax, currency),
    why: tax.jurisdiction || tax.reason,
  }
  return { title, total: moneyText(amount, currency), tax: taxed, ending, returnUrl, every, isRenewal }
}

/** A delayed payment is on its way, or the bank has refused it: its order says which. */
function endingOf(state: string, isPaid: boolean): string {
  if (isPaid) return 'This payment was made already.'
  return state === 'complete' ? 'This payment page was used already.' : 'This payment page has ended.'
}

export async function action({ request, params: { id } }: Route.ActionArgs) {
  const { isRenewal, isOver, returnUrl } = await find(id)
  const deed = testDeed.safeParse((await readForm(request))['deed'])
  if (!deed.success) return data({ failure: 'Choose what happens.' }, 422)
  const next = isRenewal ? await actOnRenewal(id, deed.data, { isOver, returnUrl }) : await actOnTestCheckout(id, deed.data)
  return next === undefined
    ? data({ failure: 'The card was declined. Nothing was charged. Try again, or press another button.' }, 402)
    : redirect(next, 303)
}

type Renewal = { isOver: boolean; returnUrl: string }

async function actOnRenewal(id: string, deed: TestDeed, { isOver, returnUrl }: Renewal): Promise<string | undefined> {
  if (deed === 'fail' && !isOver) return undefined
  if (deed === 'pay') await payTestRenewal(id)
  return returnUrl
}

const buttons: readonly { deed: TestDeed; label: string; text: string }[] = [
  { deed: 'fail', label: 'Decline the card', text: 'The page stays open, so that you can try again.' },
  { deed: 'delay', label: 'Pay with a delay', text: 'As by bank debit: pending for ten seconds, then paid.' },
  { deed: 'delayFail', label: 'Delay, then fail', text: 'Pending for ten seconds, then the bank refuses.' },
  { deed: 'duplicate', label: 'Pay with three events', text: 'The event of the payment is sent three times, and counts once.' },
  { deed: 'cancel', label: 'Go back without paying', text: 'The order stays open.' },
]

/** A renewal is charged from a payment method that is known. */
const ofRenewal: ReadonlySet<TestDeed> = new Set(['fail', 'cancel'])

export default function TestPayPage({
  loaderData: { title, total, tax, ending, every, returnUrl, isRenewal },
  actionData,
}: Route.ComponentProps) {
  const shown = buttons.filter(({ deed }) => !isRenewal || ofRenewal.has(deed))
  const sums: [label: string, amount: string][] = [
    ...(tax
      ? ([
          ['Net', tax.net],
          [`Tax, ${tax.why}`, tax.tax],
        ] satisfies typeof sums)
      : []),
    [tax ? 'Total with tax' : 'Total', total],
  ]
  return (
    <Page
      kind="text"
      eyebrow="Test payment"
      title={title}
      intro="No money moves here. This page stands in for the payment provider, and asks for no card."
    >
      <div className="grid gap-10">
        {actionData && <Refusal>{actionData.failure}</Refusal>}
        <Card as="section" aria-labelledby="sum" pad="roomy" className="grid gap-5">
          <h2 id="sum" className="sr-only">
            Amount
          </h2>
          <dl className="grid gap-2">
            {sums.map(([label, amount], index) => (
              <div
                key={label}
                className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6 last:not-first:border-t last:not-first:border-line last:not-first:pt-3"
              >
                <dt className={index === sums.length - 1 ? 'font-semibold' : 'text-muted'}>{label}</dt>
                <dd className={index === sums.length - 1 ? 'font-mono text-h3' : 'font-mono'}>{amount}</dd>
              </div>
            ))}
          </dl>
          {every && <p className="text-small">Charged again each {every}.</p>}
          {tax && (
            <p className="text-small text-muted">
              Computed from a small table on this page, by the country of the order. A real provider computes the tax of each address.
            </p>
          )}
          {ending ? (
            <div className="grid justify-items-start gap-3">
              <p role="status">{ending}</p>
              <a href={returnUrl} className="link">
                Back to the shop
              </a>
            </div>
          ) : (
            <form method="post" className="grid">
              <Button name="deed" value="pay">
                Pay {total}
              </Button>
            </form>
          )}
        </Card>
        {!ending && (
          <form method="post" aria-labelledby="others" className="grid gap-3">
            <h2 id="others" className="text-h3">
              Other outcomes
            </h2>
            <ul className="divide-y divide-line border-y border-line">
              {shown.map(({ deed, label, text }) => (
                <li key={deed} className="grid items-center gap-x-6 gap-y-2 py-3 sm:grid-cols-[15rem_minmax(0,1fr)]">
                  <Button look="quiet" name="deed" value={deed} aria-describedby={`about-${deed}`}>
                    {label}
                  </Button>
                  <p id={`about-${deed}`} className="text-small text-muted">
                    {text}
                  </p>
                </li>
              ))}
            </ul>
          </form>
        )}
      </div>
    </Page>
  )
}
