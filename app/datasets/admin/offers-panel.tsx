import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { includesWords, offerCharges, onceIncludes } from '#app/datasets/catalog/offer.ts'
import { NOTICE_DAYS, offerBody, offerPrice, type StaffOffer, staffOffer, staffOffersOf } from '#app/datasets/catalog/staff-offer.ts'
import { typedAmount } from '#app/leads/lead/written-amount.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { decimalText, minorDigits, moneyText } from '#app/platform/text/money.ts'
import { currencies, writtenForm } from '#app/platform/text/written-form.ts'
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

const chargedLabels: Record<StaffOffer['charged'], string> = { once: 'One-time', month: 'Monthly', quarter: 'Quarterly', year: 'Yearly' }

/** A typed amount in the smallest unit; NaN, which no schema takes, for what is none. */
function amountIn(typed: string, currency: string): number {
  const amount = (typedAmount(typed.trim()) ?? Number.NaN) * 10 ** minorDigits(currency)
  return Math.abs(Math.round(amount) - amount) < 1e-6 ? Math.round(amount) : Number.NaN
}

/** The prices of a product: its own one, by the month, quarter or year, and in other currencies. */
export function OffersPanel({ product }: Props) {
  const list = useQuery(apiQuery(staffOffersOf(product.id), z.array(staffOffer)))
  const [isAdding, setAdding] = useState(false)
  return (
    <section aria-labelledby="prices" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="prices" className="text-h3">
          Prices
        </h2>
        {list.data && product.price > 0 && (
          <Button type="button" look="quiet" size="small" onClick={() => setAdding(true)}>
            Add a price
          </Button>
        )}
      </div>
      {product.price === 0 && <Empty title="Free">Give this product a price in its details before you add others.</Empty>}
      {list.isPending && <Loading>Loading prices...</Loading>}
      {list.isError && <Failed error={list.error} retry={list.refetch} />}
      {list.data && product.price + list.data.length > 0 && (
        <ul aria-label="Prices" className="divide-y divide-line border-y border-line">
          {product.price > 0 && (
            <li className="grid gap-0.5 py-3">
              <p className="font-semibold">
                {chargedLabels.once}: {moneyText(product.price, writtenForm().currency)}
              </p>
              <p className="text-small text-muted">{includesWords[product.priceIncludes]} · changed in the details of the product</p>
            </li>
          )}
          {list.data.map((offer) => (
            <Offer key={offer.id} offer={offer} product={product} />
          ))}
        </ul>
      )}
      {isAdding && <AddDialog product={product} close={() => setAdding(false)} />}
    </section>
  )
}

function Offer({ offer, product }: Props & { offer: StaffOffer }) {
  const { id, charged, currency, amount, includes, nextAmount, nextAmountFrom, subscriptions } = offer
  // One of each for a currency.
  const name = `${chargedLabels[charged]}, ${currency}`
  const [isChanging, setChanging] = useState(false)
  const url = `${staffOffersOf(product.id)}/${id}`
  const archive = { send: async () => apiRequest('DELETE', url), done: 'No longer offered', failed: 'Not changed', touches: [url] }
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="grid gap-0.5">
        <p className="font-semibold">
          {chargedLabels[charged]}: {moneyText(amount, currency)}
        </p>
        <p className="text-small text-muted">
          {includesWords[includes]}
          {charged !== 'once' && ` · ${subscriptions === 1 ? '1 subscription' : `${subscriptions} subscriptions`}`}
          {nextAmount !== null && nextAmountFrom && ` · ${moneyText(nextAmount, currency)} from ${formatDay(nextAmountFrom)}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="button" look="quiet" size="small" aria-label={`Change price: ${name}`} onClick={() => setChanging(true)}>
          Change price
        </Button>
        <QuestionButton
          action={{ ...archive, touches: [staffOffersOf(product.id)] }}
          size="small"
          label="Stop offering"
          aria-label={`Stop offering: ${name}`}
          question="Stop offering this price?"
          confirm="Stop offering"
          pending="Saving..."
        >
          <p>Nobody can choose it any more. Running subscriptions continue at it, and what was bought stays.</p>
        </QuestionButton>
      </div>
      {isChanging && <ChangeDialog offer={offer} url={url} product={product} close={() => setChanging(false)} />}
    </li>
  )
}

function AddDialog({ product, close }: Props & { close: () => void }) {
  const [charged, setCharged] = useState<StaffOffer['charged']>('month')
  const form = useForm({
    schema: offerBody,
    read: ({ currency = '', amount = '', includes }) => ({
      charged,
      currency,
      amount: amountIn(amount, currency),
      includes: charged === 'once' ? includes : 'feed',
    }),
    send: async (body) => apiRequest('POST', staffOffersOf(product.id), body),
    done: 'Price added',
    failed: 'Price not added',
    touches: [staffOffersOf(product.id)],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Price of ${product.name}`} submit="Add price">
      <Field label="Charged" name="charged">
        <Select value={charged} onChange={({ target }) => setCharged(offerCharges.find((each) => each === target.value) ?? 'month')}>
          {offerCharges.map((each) => (
            <option key={each} value={each}>
              {chargedLabels[each]}
            </option>
          ))}
        </Select>
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Price, before tax" name="amount">
          <Input inputMode="decimal" autoComplete="off" />
        </Field>
        <Field label="Currency" name="currency">
          <Select defaultValue={writtenForm().currency}>
            {Object.entries(currencies).map(([code, name]) => (
              <option key={code} value={code}>
                {code}: {name}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {charged === 'once' ? (
        <Field label="It includes" name="includes">
          <Select defaultValue={product.priceIncludes}>
            {onceIncludes.map((each) => (
              <option key={each} value={each}>
                {includesWords[each]}
              </option>
            ))}
          </Select>
        </Field>
      ) : (
        <p className="text-small text-muted">It includes: {includesWords.feed.toLowerCase()}.</p>
      )}
    </FormDialog>
  )
}

type ChangeProps = Props & { offer: StaffOffer; url: string; close: () => void }

function ChangeDialog({ offer, url, product, close }: ChangeProps) {
  const { currency, amount, nextAmount, subscriptions } = offer
  const form = useForm({
    schema: offerPrice,
    read: ({ amount: typed = '' }) => ({ amount: amountIn(typed, currency) }),
    send: async (body) => apiRequest('PUT', url, body),
    done: subscriptions > 0 ? 'Price announced' : 'Price changed',
    failed: 'Price not changed',
    touches: [staffOffersOf(product.id)],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Change the price" submit={subscriptions > 0 ? 'Announce price' : 'Change price'}>
      <p className="text-small text-muted">
        {subscriptions > 0
          ? `Subscribers get an email, and the new price counts ${NOTICE_DAYS} days later. The present price takes an announcement back.`
          : 'No customer has this price yet, so it changes immediately.'}
      </p>
      <Field label={`Price in ${currency}, before tax`} name="amount">
        <Input inputMode="decimal" autoComplete="off" defaultValue={decimalText(nextAmount ?? amount, currency)} />
      </Field>
    </FormDialog>
  )
}
