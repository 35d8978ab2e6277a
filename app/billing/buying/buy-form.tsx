import { useState } from 'react'
import { buyPath } from '#app/datasets/catalog/offer.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Field, FieldError } from '#app/ui/field.tsx'
import { Input, Select, Textarea } from '#app/ui/input.tsx'
import { Refusal } from '#app/ui/refusal.tsx'
import type { describePurchase } from './buy-view.server.ts'
import { Consent } from './consent.tsx'

type Purchase = Awaited<ReturnType<typeof describePurchase>>
type Texts = Readonly<Record<string, string>>

type BuyFormProps = { form: Purchase; values?: Texts | undefined; errors?: Texts | undefined; failure?: string | undefined }

const nothing: Texts = {}

/** An order, as a native form: each button sends it, and what was typed comes back. */
export function BuyForm({ form, values = nothing, errors = nothing, failure }: BuyFormProps) {
  const { licence, isTest } = form
  const [chosen, setChosen] = useState(form.chosen)
  const offer = form.offers.find(({ id }) => id === chosen) ?? form.offers[0]
  return (
    // Named, because the address may end in a place of the page. A browser focuses no error there.
    <form method="post" action={buyPath(form.slug)} noValidate className="group grid gap-8">
      {isTest && (
        <p className="rounded-card border border-line bg-grain-wash p-4 text-small">
          Test mode: this installation takes test payments only. Nothing is charged.
        </p>
      )}
      {failure && <Refusal>{failure}</Refusal>}
      <ErrorSummary errors={errors} />
      <Offers form={form} choose={setChosen} />
      {form.hasChoice && <ForWhom form={form} values={values} errors={errors} />}
      <Buyer form={form} values={values} errors={errors} />
      {offer && <Price form={form} price={offer.quote} values={values} errors={errors} />}
      <Card as="section" aria-labelledby="licence" className="grid gap-4">
        <h2 id="licence" className="text-h3">
          License
        </h2>
        {/* A scrolling frame must be reachable by keyboard. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div tabIndex={0} role="region" aria-label="Text of the license" className="grid max-h-64 gap-3 overflow-y-auto text-small">
          {licence.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p className="text-muted">Version of {licence.version}</p>
        </div>
        <Consent name="acceptsLicence" isOn={values['acceptsLicence'] === 'on'} error={errors['acceptsLicence']}>
          {form.hasChoice ? 'I accept this license' : 'I accept this license for my organization'}
        </Consent>
        {form.hasChoice ? (
          <div className="hidden group-has-[#as-consumer:checked]:block">
            <Consent name="acceptsSupply" isOn={values['acceptsSupply'] === 'on'} error={errors['acceptsSupply']}>
              {form.supplyConsent}
            </Consent>
          </div>
        ) : (
          <Consent name="isBusiness" isOn={form.buyer.isBusiness || values['isBusiness'] === 'on'} error={errors['isBusiness']}>
            I buy for my business
          </Consent>
        )}
      </Card>
      {offer?.quote.total && <input type="hidden" name="expected" value={offer.quote.total.gross} />}
      <div className="grid justify-items-start gap-2">
        <Button name="intent" value="order">
          {orderLabel(offer)}
        </Button>
        <p className="text-small text-muted">
          {offer?.quote.total
            ? `The next page takes the payment. Access starts as soon as it arrives. ${offer.renews}`
            : 'The next page shows the total with tax.'}
        </p>
      </div>
    </form>
  )
}

function orderLabel(offer: Purchase['offers'][number] | undefined): string {
  const total = offer?.quote.total
  if (!offer || !total) return 'Continue'
  if (total.gross === 0) return 'Order for free'
  return `${offer.renews ? 'Subscribe' : 'Buy'} for ${total.text}`
}

function Offers({ form: { offers, chosen }, choose }: { form: Purchase; choose: (id: string) => void }) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-3">
        <h2 className="text-h3">{offers.length === 1 ? 'What you get' : 'Choose an offer'}</h2>
      </legend>
      {offers.map(({ id, price, charged, includes }) => (
        <label key={id} className="flex min-h-11 items-start gap-3 rounded-card border border-line bg-surface p-4">
          <input
            type="radio"
            name="offer"
            value={id}
            defaultChecked={id === chosen}
            onChange={() => choose(id)}
            className="mt-1 size-5 shrink-0 accent-grain-text"
          />
          <span>
            <span className="font-mono font-medium tabular-nums">{price}</span> {charged}
            <span className="block text-small text-muted">{includes}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

type PartProps = { form: Purchase; values: Texts; errors: Texts }

/** The fields below follow this choice, without script as well. */
function ForWhom({ form: { buyer }, values, errors }: PartProps) {
  const chosen = values['buysAs'] ?? (buyer.isConsumer ? 'consumer' : buyer.isBusiness ? 'business' : '')
  const error = errors['buysAs']
  return (
    <fieldset className="grid gap-3" aria-describedby={error && 'field-buysAs-error'}>
      <legend className="mb-3">
        <h2 className="text-h3">Buyer</h2>
      </legend>
      {ways.map(({ value, label, hint }) => (
        <label key={value} className="flex min-h-11 items-start gap-3 rounded-card border border-line bg-surface p-4">
          <input
            type="radio"
            name="buysAs"
            id={value === 'business' ? 'field-buysAs' : 'as-consumer'}
            value={value}
            defaultChecked={value === chosen}
            className="mt-1 size-5 shrink-0 accent-grain-text"
          />
          <span>
            {label}
            <span className="block text-small text-muted">{hint}</span>
          </span>
        </label>
      ))}
      {error && (
        <FieldError id="field-buysAs-error" name="buysAs">
          {error}
        </FieldError>
      )}
    </fieldset>
  )
}

const ways = [
  { value: 'business', label: 'I buy for my business', hint: 'A company or a trade of your own. Its tax number goes on the invoice.' },
  { value: 'consumer', label: 'I buy for myself', hint: 'As a private person, with the right to withdraw.' },
] as const

function Buyer({ form: { buyer, countries, hasChoice }, values, errors }: PartProps) {
  const { name, lines, lacking, asksVatNumber, hasInvalidVatNumber, needsPurchaseOrder } = buyer
  const lacks = (fact: (typeof lacking)[number]) => lacking.includes(fact)
  return (
    <section aria-labelledby="buyer" className="grid gap-4">
      <h2 id="buyer" className="text-h3">
        Invoice to
      </h2>
      {(!lacks('legalName') || lines.length > 0) && (
        <div className="grid gap-2">
          <p className="whitespace-pre-line wrap-anywhere">
            {!lacks('legalName') && <strong>{name}</strong>}
            {lines.map((line, at) => (at === 0 && lacks('legalName') ? line : `\n${line}`))}
          </p>
          {hasInvalidVatNumber && (
            <p className="text-small font-semibold text-alarm">This VAT number is not valid, so it does not count.</p>
          )}
          <a href="/account/organization#facts" className="link w-fit text-small">
            Change these details
          </a>
        </div>
      )}
      {lacks('legalName') && (
        <Field
          label={hasChoice ? 'Company, or your name' : 'Company'}
          name="legalName"
          error={errors['legalName']}
          hint={hasChoice ? 'As on the invoice.' : 'As in the commercial register.'}
        >
          <Input defaultValue={values['legalName'] ?? (name === 'Personal' ? '' : name)} autoComplete="organization" />
        </Field>
      )}
      {lacks('address') && (
        <Field label="Address" name="address" error={errors['address']}>
          <Textarea rows={3} defaultValue={values['address']} autoComplete="street-address" className="min-h-24" />
        </Field>
      )}
      {lacks('countryCode') && (
        <Field label="Country" name="countryCode" error={errors['countryCode']}>
          <Select defaultValue={values['countryCode'] ?? ''} autoComplete="country">
            <option value="">Choose a country</option>
            {countries.map(([code, country]) => (
              <option key={code} value={code}>
                {country}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <div className="grid gap-4 group-has-[#as-consumer:checked]:hidden">
        {asksVatNumber && (
          <Field
            label="VAT number"
            name="vatNumber"
            optional
            error={errors['vatNumber']}
            hint="In the EU, with its country, such as DE123456789."
          >
            <Input defaultValue={values['vatNumber']} />
          </Field>
        )}
        <Field
          label="Purchase order number"
          name="purchaseOrder"
          optional={!needsPurchaseOrder}
          error={errors['purchaseOrder']}
          hint="It appears on the invoice."
        >
          <Input defaultValue={values['purchaseOrder']} />
        </Field>
      </div>
    </section>
  )
}

type PriceProps = PartProps & { price: Purchase['offers'][number]['quote'] }

function Price({ form, price, values, errors }: PriceProps) {
  const refusal = errors['code'] ?? price.refusedCode
  return (
    <section aria-labelledby="total" className="grid gap-4">
      <h2 id="total" className="scroll-mt-24 text-h3">
        Total
      </h2>
      {price.total ? (
        <dl className="grid grid-cols-[1fr_auto] gap-y-2 tabular-nums">
          {price.lines.map(({ label, text, reason }) => (
            <div key={label} className="contents">
              <dt className="text-muted">
                {label}
                {reason && <span className="block text-small">{reason}</span>}
              </dt>
              <dd className="pl-6 text-right font-mono">{text}</dd>
            </div>
          ))}
          <dt className="border-t border-line pt-2 font-semibold">Total</dt>
          <dd className="border-t border-line pt-2 pl-6 text-right font-mono font-semibold">{price.total.text}</dd>
        </dl>
      ) : (
        <p className="text-muted">{price.reason}</p>
      )}
      <div className="grid items-start gap-3 sm:grid-cols-[1fr_auto]">
        <Field label="Discount code" name="code" optional error={refusal}>
          <Input defaultValue={values['code']} autoComplete="off" className="scroll-mt-80" />
        </Field>
        {/* The page loads again where its total is, with the focus on the code below it. */}
        <Button look="quiet" name="intent" value="quote" formAction={`${buyPath(form.slug)}#field-code`} className="sm:mt-7.5">
          Update the total
        </Button>
      </div>
    </section>
  )
}
