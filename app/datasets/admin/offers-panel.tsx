import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import {
  NOTICE_DAYS,
  offerBody,
  offerPrice,
  type SubscriptionOffer,
  subscriptionOffer,
  subscriptionOffersOf,
} from '#app/datasets/catalog/subscription-offer.ts'
import { typedAmount } from '#app/leads/lead/written-amount.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { decimalText, minorDigits, moneyText } from '#app/platform/text/money.ts'
import { writtenForm } from '#app/platform/text/written-form.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatDay } from '#app/ui/moment.ts'

type Props = { product: StaffProduct }

const everyWords: Record<SubscriptionOffer['charged'], string> = { month: 'Monthly', quarter: 'Quarterly', year: 'Yearly' }
const charges = ['month', 'quarter', 'year'] as const

/** A typed amount in the smallest unit; NaN, which no schema takes, for what is none. */
function amountIn(typed: string, currency: string): number {
  const amount = (typedAmount(typed.trim()) ?? Number.NaN) * 10 ** minorDigits(currency)
  return Math.abs(Math.round(amount) - amount) < 1e-6 ? Math.round(amount) : Number.NaN
}

/** Prices by the month, quarter or year, beside the one-time price of the product. */
export function OffersPanel({ product }: Props) {
  const list = useQuery(apiQuery(subscriptionOffersOf(product.id), z.array(subscriptionOffer)))
  const [isAdding, setAdding] = useState(false)
  const free = charges.filter((charged) => !list.data?.some((offer) => offer.charged === charged))
  return (
    <section aria-labelledby="subscription-prices" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="subscription-prices" className="text-h3">
          Subscription prices
        </h2>
        {free.length > 0 && list.data && product.price > 0 && (
          <Button type="button" look="quiet" size="small" onClick={() => setAdding(true)}>
            Add a price
          </Button>
        )}
      </div>
      {list.isPending && <Loading>Loading prices...</Loading>}
      {list.isError && <Failed error={list.error} retry={list.refetch} />}
      {list.data?.length === 0 && (
        <Empty title="No subscriptions">
          {product.price === 0
            ? 'This product is free. Subscriptions need a product with a price.'
            : 'Subscribers get every version for as long as they pay, by the month, quarter or year.'}
        </Empty>
      )}
      {list.data && list.data.length > 0 && (
        <ul aria-label="Subscription prices" className="divide-y divide-line border-y border-line">
          {list.data.map((offer) => (
            <Offer key={offer.id} offer={offer} product={product} />
          ))}
        </ul>
      )}
      {isAdding && <AddDialog product={product} free={free} close={() => setAdding(false)} />}
    </section>
  )
}

function Offer({ offer, product }: Props & { offer: SubscriptionOffer }) {
  const { id, charged, currency, amount, nextAmount, nextAmountFrom, subscriptions } = offer
  const [isChanging, setChanging] = useState(false)
  const url = `${subscriptionOffersOf(product.id)}/${id}`
  const archive = { send: async () => apiRequest('DELETE', url), done: 'No longer offered', failed: 'Not changed', touches: [url] }
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="grid gap-0.5">
        <p className="font-semibold">
          {everyWords[charged]}: {moneyText(amount, currency)}
        </p>
        <p className="text-small text-muted">
          {subscriptions === 1 ? '1 subscription' : `${subscriptions} subscriptions`}
          {nextAmount !== null && nextAmountFrom && ` · ${moneyText(nextAmount, currency)} from ${formatDay(nextAmountFrom)}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          type="button"
          look="quiet"
          size="small"
          aria-label={`Change price: ${everyWords[charged]}`}
          onClick={() => setChanging(true)}
        >
          Change price
        </Button>
        <QuestionButton
          action={{ ...archive, touches: [subscriptionOffersOf(product.id)] }}
          size="small"
          label="Stop offering"
          aria-label={`Stop offering: ${everyWords[charged]}`}
          question="Stop offering this price?"
          confirm="Stop offering"
          pending="Saving..."
        >
          <p>Nobody can choose it any more. Running subscriptions continue at it.</p>
        </QuestionButton>
      </div>
      {isChanging && <ChangeDialog offer={offer} url={url} product={product} close={() => setChanging(false)} />}
    </li>
  )
}

function AddDialog({ product, free, close }: Props & { free: readonly SubscriptionOffer['charged'][]; close: () => void }) {
  const { currency } = writtenForm()
  const form = useForm({
    schema: offerBody,
    read: ({ charged, amount = '' }) => ({ charged, amount: amountIn(amount, currency) }),
    send: async (body) => apiRequest('POST', subscriptionOffersOf(product.id), body),
    done: 'Price added',
    failed: 'Price not added',
    touches: [subscriptionOffersOf(product.id)],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Subscription to ${product.name}`} submit="Add price">
      <Field label="Charged" name="charged">
        <Select>
          {free.map((charged) => (
            <option key={charged} value={charged}>
              {everyWords[charged]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={`Price in ${currency}, before tax`} name="amount">
        <Input inputMode="decimal" autoComplete="off" />
      </Field>
    </FormDialog>
  )
}

type ChangeProps = Props & { offer: SubscriptionOffer; url: string; close: () => void }

function ChangeDialog({ offer, url, product, close }: ChangeProps) {
  const { currency, amount, nextAmount, subscriptions } = offer
  const form = useForm({
    schema: offerPrice,
    read: ({ amount: typed = '' }) => ({ amount: amountIn(typed, currency) }),
    send: async (body) => apiRequest('PUT', url, body),
    done: subscriptions > 0 ? 'Price announced' : 'Price changed',
    failed: 'Price not changed',
    touches: [subscriptionOffersOf(product.id)],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Change the price" submit={subscriptions > 0 ? 'Announce price' : 'Change price'}>
      <p className="text-small text-muted">
        {subscriptions > 0
          ? `Subscribers get an email, and the new price counts ${NOTICE_DAYS} days later. The present price takes an announcement back.`
          : 'Nobody has this price yet, so it changes immediately.'}
      </p>
      <Field label={`Price in ${currency}, before tax`} name="amount">
        <Input inputMode="decimal" autoComplete="off" defaultValue={decimalText(nextAmount ?? amount, currency)} />
      </Field>
    </FormDialog>
  )
}
